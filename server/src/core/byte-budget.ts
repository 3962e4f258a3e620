export interface ByteBudget {
  /** Reserves bytes and answers how to give them back, which works once; undefined where they exceed the budget. */
  reserve: (network: string, bytes: number) => (() => void) | undefined;
}

/** Limits the bytes that are held at a time: `total` of them, and `perNetwork` for each network of senders. */
export function createByteBudget({ total, perNetwork }: { total: number; perNetwork: number }): ByteBudget {
  const held = new Map<string, number>();
  let sum = 0;
  return {
    reserve(network, bytes) {
      const ofNetwork = held.get(network) ?? 0;
      if (sum + bytes > total || ofNetwork + bytes > perNetwork) return undefined;
      sum += bytes;
      held.set(network, ofNetwork + bytes);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        sum -= bytes;
        const left = (held.get(network) ?? 0) - bytes;
        if (left > 0) held.set(network, left);
        else held.delete(network);
      };
    },
  };
}
