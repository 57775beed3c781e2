import { seenKeys } from '#platform/projections/seen-keys'

test('a key that was noted is known, and hardly any other', () => {
  const seen = seenKeys()
  const keys = Array.from({ length: 20_000 }, (_, index) => `1.${index}.2.3.1`)
  expect(keys.filter(seen.mayKnow)).toEqual([])
  keys.forEach(seen.note)
  expect(keys.every(seen.mayKnow)).toBe(true)
  const others = Array.from({ length: 20_000 }, (_, index) => `01a1fd3a-${index}`)
  expect(others.filter(seen.mayKnow).length).toBeLessThan(200)
})
