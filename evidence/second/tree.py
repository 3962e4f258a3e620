"""Roots and proofs of RFC 6962 trees, verified as in RFC 9162."""
from texts import is_count, sha256


def node(left, right):
    return sha256(b'\x01' + left + right)


def root_of(leaves):
    if not leaves:
        return sha256(b'')
    while len(leaves) > 1:
        pairs = [node(*leaves[at:at + 2]) for at in range(0, len(leaves) - 1, 2)]
        leaves = pairs + leaves[len(pairs) * 2:]
    return leaves[0]


def climb(first, last, proof, step):
    """Follows a proof and returns whether it reaches the root; `step` receives each hash and whether it is left."""
    for other in proof:
        if last == 0 or len(other) != 32:
            return False
        is_left = first & 1 == 1 or first == last
        step(other, is_left)
        while is_left and first & 1 == 0 and first != 0:
            first, last = first >> 1, last >> 1
        first, last = first >> 1, last >> 1
    return last == 0


def is_included(leaf, index, size, proof, root):
    path = [leaf]

    def step(other, is_left):
        path[0] = node(other, path[0]) if is_left else node(path[0], other)

    return is_count(index) and index < size and climb(index, size - 1, proof, step) and path[0] == root


def is_consistent(size, root, to_size, to_root, proof):
    if not is_count(size) or size > to_size:
        return False
    if size in (0, to_size):
        return not proof and root == (sha256(b'') if size == 0 else to_root)
    if not proof:
        return False
    first, *rest = [root, *proof] if size & (size - 1) == 0 else proof
    older, newer = [first], [first]
    at, last = size - 1, to_size - 1
    while at & 1:
        at, last = at >> 1, last >> 1

    def step(other, is_left):
        if is_left:
            older[0] = node(other, older[0])
        newer[0] = node(other, newer[0]) if is_left else node(newer[0], other)

    return climb(at, last, rest, step) and older[0] == root and newer[0] == to_root
