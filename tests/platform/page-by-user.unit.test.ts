import { inOrderOfNames, membersOnPage } from '#platform/http/paging'

const counts = [
  { userId: 7, count: 3 },
  { userId: 2, count: 1 },
  { userId: 5, count: 4 },
]

test.each([
  [0, 2, [7], 0],
  [0, 4, [7, 2], 0],
  [2, 2, [7, 2], 0],
  [3, 1, [2], 3],
  [4, 50, [5], 4],
  [1, 50, [7, 2, 5], 0],
  [8, 50, [], 8],
])('from %i on, %i rows: of %j, %i before theirs', (offset, limit, userIds, before) => {
  expect(membersOnPage(counts, { offset, limit })).toEqual({ userIds, before })
})

test('users follow their names without regard to case; those of no name come first, by their ids', () => {
  const names = new Map([
    [7, 'zita'],
    [5, 'Abel'],
  ])
  const users = [...counts, { userId: 1, count: 1 }]
  const ids = (direction: 'asc' | 'desc') =>
    inOrderOfNames(users, names, direction).map(({ userId }) => userId)
  expect(ids('asc')).toEqual([1, 2, 5, 7])
  expect(ids('desc')).toEqual([7, 5, 2, 1])
})
