"""Trains a pipeline with weft on a Ray cluster. Ray places and watches the ranks; it carries no tensors.

    import weft_ray
    folder = weft_ray.train("train.cfg", output="out", n_workers=4, address="10.0.0.1:6379", max_restarts=3)
"""
__all__ = ["RunFailed", "train"]


def __getattr__(name):
    """Ray is imported by those that train, and not by what needs no cluster."""
    if name not in __all__:
        raise AttributeError(f"module 'weft_ray' has no attribute '{name}'")
    from . import run
    return getattr(run, name)
