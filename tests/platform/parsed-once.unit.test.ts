import { parsedOnce } from '#platform/parsed-once'

test('the same text of the same id is read once', () => {
  const rows = parsedOnce<{ n: number }>(2)
  const first = rows.read('a', '{"n":1}')
  expect(first).toEqual({ n: 1 })
  expect(rows.read('a', '{"n":1}')).toBe(first)
})

test('another text is another value, and so is the same text of another id', () => {
  const rows = parsedOnce<{ n: number }>(2)
  const first = rows.read('a', '{"n":1}')
  expect(rows.read('b', '{"n":1}')).not.toBe(first)
  expect(rows.read('a', '{"n":2}')).toEqual({ n: 2 })
  expect(rows.read('a', '{"n":1}')).toEqual({ n: 1 })
})

test('what was not read for longest is forgotten', () => {
  const rows = parsedOnce<{ n: number }>(2)
  const [a, b] = [rows.read('a', '{"n":1}'), rows.read('b', '{"n":2}')]
  expect(rows.read('a', '{"n":1}')).toBe(a)
  rows.read('c', '{"n":3}')
  expect(rows.read('a', '{"n":1}')).toBe(a)
  expect(rows.read('b', '{"n":2}')).not.toBe(b)
})
