/** Unwraps an IPv4-mapped IPv6 address. */
export const plainAddress = (ip: string): string => (ip.startsWith('::ffff:') ? ip.slice(7) : ip)

/** Rate limit key: the IPv4 address, or the subscriber's IPv6 /64. */
export const callerKey = (ip: string): string => {
  const address = plainAddress(ip)
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? 0 : tail.split(':').length
    while (groups.length + after < 8) groups.push('0')
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}
