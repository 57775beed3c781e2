import { recentSessions } from '#platform/http/recent-sessions'
import { people } from './example-server'

let time = 0
const kept = () => recentSessions(() => time)
beforeEach(() => {
  time = 1_000
})

test('who came with these cookies is known for five seconds, and nobody else is', () => {
  const recent = kept()
  recent.note('a=1', people.parent)
  time += 4_999
  expect(recent.read('a=1')).toBe(people.parent)
  expect(recent.read('a=2')).toBeNull()
  time += 1
  expect(recent.read('a=1')).toBeNull()
})

test('whoever comes again is known for five seconds from then', () => {
  const recent = kept()
  recent.note('a=1', people.parent)
  time += 4_000
  recent.note('a=1', people.teacher)
  time += 4_000
  expect(recent.read('a=1')).toBe(people.teacher)
})

test('five thousand are known at most, the latest', () => {
  const recent = kept()
  for (let index = 0; index < 5_001; index += 1) recent.note(`a=${index}`, people.parent)
  expect(recent.read('a=0')).toBeNull()
  expect(recent.read('a=1')).toBe(people.parent)
  expect(recent.read('a=5000')).toBe(people.parent)
})
