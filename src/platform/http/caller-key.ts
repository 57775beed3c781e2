/** The caller's address without the IPv6 dress of an IPv4 one. */
export const plainAddress = (ip: string): string => (ip.startsWith('::ffff:') ? ip.slice(7) : ip)

/** What a budget by address counts: an IPv4 address, or the /64 network an IPv6 subscriber has to themselves. */
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
