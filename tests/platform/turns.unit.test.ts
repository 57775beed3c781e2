import { takingTurns } from '#platform/pacing'

const listed = Array.from({ length: 100 }, (_, index) => `${index}`)

test('what is new is looked at in one run, and what is settled in turn, forty a run', () => {
  const turns = takingTurns()
  const run = (ids: string[]) => {
    const due = [...turns.due(ids)]
    for (const id of due) turns.isSettled(id)
    return due
  }
  expect(run(listed)).toEqual(listed)
  const [first, second, third] = [run(listed), run(listed), run([...listed, 'new'])]
  expect([first.length, second.length, third.length]).toEqual([40, 40, 41])
  expect(third[0]).toBe('new')
  expect(new Set([...first, ...second, ...third]).size).toBe(101)
})

test('what could not be settled is looked at in each run, and what is no longer listed in none', () => {
  const turns = takingTurns()
  for (const id of turns.due(listed)) if (id !== '99') turns.isSettled(id)
  expect(turns.due(listed)).toContain('99')
  expect([...turns.due(['99'])]).toEqual(['99'])
})
