"""The formats of a report, one file each. A module that defines `render(run, **options) -> str | bytes` is one."""
