def make(name, **parameters):
    import games.registry

    return games.registry.make(name, parameters)
