"""How large a claim is: of several claims, the largest is placed first; pure."""


def shares(amounts, capacities):
    """Return the largest share of a class's capacity that a claim takes, and the sum of its shares.

    Such pairs are sort keys.
    amounts     {class_id: amount} of the claim
    capacities  {class_id: sum of the capacities of all providers, without those below 0}; may
                lack a class
    """
    # Consumers may hold some of a class that no longer has any capacity: never divide by 0.
    of_classes = [
        amount / max(1, capacities.get(class_id, 0)) for class_id, amount in amounts.items()
    ]
    return max(of_classes, default=0), sum(of_classes)
