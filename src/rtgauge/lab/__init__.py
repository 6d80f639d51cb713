"""The virtual lab: unchanged kernels in an emulator whose clock counts instructions, so that a run is the same to the
last digit on any host. What is here is data and pure functions; targets/lab.py runs a guest."""
