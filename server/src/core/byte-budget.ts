export interface ByteBudget {
  /** Reserves bytes and returns a function that releases them once; undefined if they exceed the budget. */
  reserve: (network: string, bytes: number) => (() => void) | undefined;
}

/** Limits the bytes in memory at a time: `total` over all senders, and `perNetwork` for each network of senders. */
export function createByteBudget({ total, perNetwork }: { total: number; perNetwork: number }): ByteBudget {
  const reserved = new Map<string, number>();
  let sum = 0;
  return {
    reserve(network, bytes) {
      const reservedByNetwork = reserved.get(network) ?? 0;
      if (sum + bytes > total || reservedByNetwork + bytes > perNetwork) return undefined;
      sum += bytes;
      reserved.set(network, reservedByNetwork + bytes);
      let isReserved = true;
      return () => {
        if (!isReserved) return;
        isReserved = false;
        sum -= bytes;
        const left = (reserved.get(network) ?? 0) - bytes;
        if (left > 0) reserved.set(network, left);
        else reserved.delete(network);
      };
    },
  };
}
