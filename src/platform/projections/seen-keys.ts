const bits = 2 ** 24

/** Remembers keys in 2 MiB, however many: one that was noted is always known, one that was not hardly ever. */
export const seenKeys = () => {
  const map = new Uint8Array(bits / 8)
  return {
    mayKnow: (key: string): boolean => {
      const at = hashOf(key) % bits
      return (map[at >> 3]! & (1 << (at & 7))) !== 0
    },
    note: (key: string): void => {
      const at = hashOf(key) % bits
      map[at >> 3]! |= 1 << (at & 7)
    },
  }
}

/** FNV-1a. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
