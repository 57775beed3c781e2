import { callerKey, plainAddress } from '#platform/http/rate-limits'

test.each([
  ['196.46.1.7', '196.46.1.7'],
  ['::ffff:196.46.1.7', '196.46.1.7'],
  ['2c0f:f8f0:1:2:aaaa:bbbb:cccc:dddd', '2c0f:f8f0:1:2::/64'],
  ['2c0f:f8f0:1:2::1', '2c0f:f8f0:1:2::/64'],
  ['2c0f:f8f0::1', '2c0f:f8f0:0:0::/64'],
  ['2c0f::', '2c0f:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('the budget of %s is that of %s', (ip, key) => {
  expect(callerKey(ip)).toBe(key)
})

test('an IPv4 address in IPv6 dress is shown plainly', () => {
  expect(plainAddress('::ffff:127.0.0.1')).toBe('127.0.0.1')
  expect(plainAddress('::1')).toBe('::1')
})
