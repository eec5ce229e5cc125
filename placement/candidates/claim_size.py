"""How large a claim is: of several claims, the largest is placed first; pure."""


def shares(amounts, capacities):
    """Return a claim's largest share of the capacity of a class, and the sum of its shares.

    Such pairs are sort keys.
    amounts     {class_id: amount} of the claim
    capacities  {class_id: sum of the capacities of all providers, without those below 0}; classes
                may be missing
    """
    # Consumers may hold some of a class that no longer has any capacity: never divide by 0.
    of_classes = [
        amount / max(1, capacities.get(class_id, 0)) for class_id, amount in amounts.items()
    ]
    return max(of_classes, default=0), sum(of_classes)
