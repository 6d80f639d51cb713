"""FreeRTOS with the engine in one image: its sources, what an image is built with, and what is known of one."""
