import {
  rowsOfChosen,
  validDecisions,
  withOnlyMatches,
} from '../../../web/features/roll-import/preview/decide-card'
import { rowChanges } from '../../../web/features/roll-import/preview/rows-card'
import { changedRow, matchedRow, taonga } from './sample-import'

const child = (id: number) => ({ ...taonga, id })
const row = (number: number, ...candidates: number[]) => ({
  ...matchedRow,
  row: number,
  candidates: candidates.map(child),
  isClear: candidates.length === 1,
})

describe('deciding at once', () => {
  test.each([
    ['a row with one candidate is that child', [row(4, 61)], {}, { 4: 61 }],
    ['a row with one that is not clear is left', [{ ...row(4, 61), isClear: false }], {}, {}],
    ['a row with two is left', [row(4, 61, 62)], {}, {}],
    ['rows that can both be one child are left', [row(4, 61), row(5, 61)], {}, {}],
    ['so is one whose child another row can be too', [row(4, 61), row(5, 61, 62)], {}, {}],
    ['a child that was chosen for another row is not taken', [row(4, 61)], { 9: 61 }, { 9: 61 }],
    ['what was decided stays', [row(4, 61)], { 4: 'new' as const }, { 4: 'new' }],
  ])('%s', (_name, rows, decisions, decided) => expect(withOnlyMatches(rows, decisions)).toEqual(decided))

  test('a new child is no row of another', () =>
    expect([...rowsOfChosen({ 4: 'new', 5: 61 })]).toEqual([[61, 5]]))
})

describe('after another look at the file', () => {
  test.each([
    ['keeps a child that the row can still be', [row(4, 61)], { 4: 61 }, { 4: 61 }],
    ['drops one that it can no longer be', [row(4, 62)], { 4: 61 }, {}],
    ['keeps that it is a new one', [row(4, 62)], { 4: 'new' as const }, { 4: 'new' }],
    ['drops what is asked no more', [], { 4: 'new' as const }, {}],
  ])('%s', (_name, rows, decisions, kept) => expect(validDecisions(rows, decisions)).toEqual(kept))
})

describe('what a row changes', () => {
  const before = { ...changedRow.before!, onRoll: true }

  test('of a child without an account, its guardian among it', () =>
    expect(rowChanges({ ...changedRow, before, class: null })).toEqual([
      'Grade: 1 → 2',
      'Class: 2A → none',
      'Guardian: none → Mrs Banda',
      'Phone: none → 0977 100 200',
    ]))

  test('of a child that an account has, no guardian', () =>
    expect(rowChanges({ ...changedRow, before: { ...before, parent: 'Mr Zulu' } })).toEqual(['Grade: 1 → 2']))
})
