/* Units of the engine's core. */
#include "check.h"
#include "core_test.h"

int main(void)
{
    test_crc();
    test_cobs();
    test_cbor();
    test_frames();
    test_request();
    test_request_limits();
    test_request_damaged();
    return check_end();
}
