import { appendGroups } from '#platform/event-store/append-plan'

const append = (stream: string, alone?: true) => ({ stream, expectedRevision: 0, events: [], alone })
const groupsOf = (...appends: ReturnType<typeof append>[]) =>
  appendGroups(appends).map((group) => group.map(({ stream }) => stream))

test('neighbours of one kind are appended at once; another kind, or a stream again, comes after them', () =>
  expect(
    groupsOf(append('slot-1'), append('slot-2'), append('portion-1'), append('slot-2'), append('slot-2')),
  ).toEqual([['slot-1', 'slot-2'], ['portion-1'], ['slot-2'], ['slot-2']]))

test('what is alone is stored before anything after it', () =>
  expect(
    groupsOf(append('slot-1', true), append('slot-2'), append('slot-3'), append('slot-4', true)),
  ).toEqual([['slot-1'], ['slot-2', 'slot-3'], ['slot-4']]))
