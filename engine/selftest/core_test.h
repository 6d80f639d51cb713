/* The test functions of the core's units, one group for each file core_*.c. */
#ifndef RTGAUGE_CORE_TEST_H
#define RTGAUGE_CORE_TEST_H

void test_crc(void);
void test_cobs(void);
void test_cbor(void);
void test_frames(void);
void test_request(void);
void test_request_limits(void);
void test_request_damaged(void);

#endif
