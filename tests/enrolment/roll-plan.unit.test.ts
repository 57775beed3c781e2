import * as fc from 'fast-check'
import { isRollHead } from '#modules/enrolment/roll/roll-columns.decide'
import { readRoll } from '#modules/enrolment/roll/roll-file.decide'
import {
  changesOf,
  decideAsPreviewed,
  decideLeaving,
  planTold,
  decideChild,
  decideNoSameDate,
  decideNothingInPayment,
  decideTwins,
  joined,
  decideUndo,
} from '#modules/enrolment/roll/roll-import.decide'
import { planOfRoll } from '#modules/enrolment/roll/roll-plan.decide'
import type { RollChild } from '#modules/identity/published'
import { joinedHealth } from '#modules/identity/students/student.decide'
import { readCsvTable } from '#platform/csv-file'
import { tries } from '../support/tries'

const code = (wanted: string) => expect.objectContaining({ code: wanted })

const read = async (text: string) =>
  readRoll(await readCsvTable(Buffer.from(text), { maxRows: 5000, isHead: isRollHead }))!
const since = new Date('2026-01-10T08:00:00Z')

/** A child as a table has it; on the roll and on nobody's account unless told. */
const child = (id: number, more: Partial<RollChild> = {}): RollChild => ({
  id,
  userId: null,
  name: `Child ${id}`,
  grade: '3',
  class: null,
  admissionNumber: `A-${id}`,
  guardianName: null,
  guardianEmail: null,
  guardianPhone: null,
  onRollSince: since,
  leftAt: null,
  ...more,
})

const plan = async (text: string, roll: RollChild[]) =>
  planOfRoll(await read(`admissionNumber,student,grade,class,guardian,phone\n${text}`), roll)

const states = ({ rows }: Awaited<ReturnType<typeof plan>>) => rows.map(({ state }) => state)

describe('what a file would do', () => {
  test('a number that is known is its child, whatever else changed; an unknown one is a new child', async () => {
    const roll = [child(1), child(2, { name: 'Chipo M. Banda' }), child(3, { leftAt: since }), child(4)]
    const planned = await plan(
      'A-1,Child 1,3,,,\na-2,Chipo Banda,4,4A,,\nA-3,Child 3,3,,,\nA-9,New,1,,,',
      roll,
    )
    expect(states(planned)).toEqual(['same', 'changed', 'changed', 'new'])
    expect(planned.leaving.map(({ id }) => id)).toEqual([4])
    expect(planned.size).toBe(3)
  })

  test('a guardian of the roll counts for a child that no account has, and is nothing to one that has', async () => {
    const roll = [child(1, { guardianName: 'Mrs Banda' }), child(2, { userId: 7 })]
    const planned = await plan('A-1,Child 1,3,,Mr Banda,\nA-2,Child 2,3,,Mr Phiri,', roll)
    expect(states(planned)).toEqual(['changed', 'same'])
  })

  test('a child without a number is matched by name and grade, and the office decides', async () => {
    const entered = child(1, { name: 'Chipo  banda', admissionNumber: null, onRollSince: null, userId: 7 })
    const planned = await plan('A-1,CHIPO Banda,3,3B,,\n,Chipo Banda,4,,,', [entered])
    expect(states(planned)).toEqual(['matched', 'new'])
    expect(states(await plan('A-1,"Banda, Chipo",3,3B,,', [entered]))).toEqual(['matched'])
    expect(planned.leaving).toEqual([])

    const undecided = changesOf(planned, { remove: true, decisions: {} })
    expect([undecided.added.length, undecided.changed.length, undecided.leftOut]).toEqual([1, 0, 1])
    const decided = changesOf(planned, { remove: true, decisions: { 2: 1 } })
    expect(decided.changed).toEqual([
      { child: entered, values: { name: 'CHIPO Banda', grade: '3', admissionNumber: 'A-1', class: '3B' } },
    ])
    expect(changesOf(planned, { remove: false, decisions: { 2: 'new' } }).added).toHaveLength(2)
    const wrong = (decisions: Record<string, number>) => () =>
      changesOf(planned, { remove: false, decisions })
    expect(wrong({ 2: 99 })).toThrow(code('decision_wrong'))
    expect(wrong({ 3: 1 })).toThrow(code('decision_wrong'))
  })

  test.each([
    ['A-9', 'Mary Phiri'],
    ['A-9', 'John Phiri'],
    ['', 'Mary Chanda Banda'],
  ])(
    'a name on a row of the number %j, beside a row that calls that child %s, is asked',
    async (number, other) => {
      const mary = child(1, { name: 'Mary Banda' })
      const planned = await plan(`A-1,${other},3,,,\n${number},"Banda, Mary",4,,,`, [mary])
      expect(planned.rows.map(({ state, candidates }) => [state, candidates])).toEqual([
        ['matched', [mary]],
        ['matched', [mary]],
      ])
      expect(planned.leaving).toEqual([])
      const decisions = { 2: 'new' as const, 3: 1 }
      const { added, changed } = changesOf(planned, { remove: false, decisions })
      expect([added.map(({ name }) => name), changed.map(({ child: { id } }) => id)]).toEqual([[other], [1]])
      const twice = () => changesOf(planned, { remove: false, decisions: { 2: 1, 3: 1 } })
      expect(twice).toThrow(code('decision_wrong'))
    },
  )

  test('a number that renames a child whose name no other row has is that child', async () => {
    const roll = [child(1, { name: 'Mary Banda' }), child(2, { name: 'Mary Banda', grade: '5' })]
    const planned = await plan('A-1,Mary Phiri,3,,,\nA-2,Mary Banda,5,,,\nA-9,Luse,1,,,', roll)
    expect(states(planned)).toEqual(['changed', 'same', 'new'])
  })

  test.each([
    ['00101', '101', 'same', '00101'],
    ['101', '00101', 'changed', '00101'],
    ['101', '101.0', 'same', '101'],
    ['A-007', 'A-7', 'new', 'A-7'],
  ])('of %s on the roll %s in a list is %s', async (kept, given, state, number) => {
    const planned = await plan(`${given},Chipo,3,,,\n900,Luse,3,,,`, [
      child(1, { name: 'Chipo', admissionNumber: kept, grade: state === 'new' ? '4' : '3' }),
    ])
    expect(states(planned)).toEqual([state, 'new'])
    const { changed, added } = changesOf(planned, { remove: false, decisions: {} })
    const numbers = [...changed.map(({ values }) => values), ...added].map((one) => one.admissionNumber)
    expect(numbers).toEqual([...(state === 'same' ? [] : [number]), '900'])
  })

  test('zeros count where two children differ by nothing else', async () => {
    const roll = [
      child(1, { name: 'Chipo', admissionNumber: '007' }),
      child(2, { name: 'Luse', admissionNumber: '07' }),
    ]
    const planned = await plan('07,Luse,3,,,\n7,Mapalo,3,,,\n007,Chipo,3,,,', roll)
    expect(states(planned)).toEqual(['same', 'new', 'same'])
  })

  test.each([
    ['Mary Banda', 'John Phiri', 'matched'],
    ['Mary Banda', 'John Banda', 'matched'],
    ['Mary Banda', 'Banda Mary', 'changed'],
    ['Mary Banda', 'Mary Phiri', 'changed'],
    ['Mary Banda', 'Mary Chanda Banda', 'changed'],
    ['Mary Ng’andu', "MARY NG'ANDU", 'changed'],
    ['Mary Mwansa', 'Marry Mwanza', 'changed'],
  ])('a number of %s that the list gives to %s is %s', async (before, after, state) => {
    const planned = await plan(`A-1,${after},3,,,`, [child(1, { name: before })])
    expect(states(planned)).toEqual([state])
    expect(planned.leaving).toEqual([])
  })

  test('a number can be decided to be another child’s: who had it has it no more', async () => {
    const had = child(1, { name: 'Mary Banda' })
    const planned = await plan('A-1,John Phiri,3,,,', [had])
    const { added, changed } = changesOf(planned, { remove: false, decisions: { 2: 'new' } })
    expect(added).toEqual([expect.objectContaining({ name: 'John Phiri', admissionNumber: 'A-1' })])
    expect(changed).toEqual([
      { child: had, values: { name: 'Mary Banda', grade: '3', admissionNumber: null } },
    ])
    const same = changesOf(planned, { remove: false, decisions: { 2: 1 } })
    expect(same.changed[0]!.values).toMatchObject({ name: 'John Phiri', admissionNumber: 'A-1' })
  })

  test('an unknown number with name and grade of a child about to leave is decided', async () => {
    const roll = [child(1, { name: 'Mary Banda' }), child(2, { name: 'Mary Banda' })]
    const planned = await plan('A-2,Mary Banda,3,,,\nB-77,Mary Banda,3,,,', roll)
    expect(states(planned)).toEqual(['same', 'matched'])
    expect(planned.rows[1]!.candidates.map(({ id }) => id)).toEqual([1])
    expect(planned.leaving).toEqual([])
    const without = await plan(',Mary Banda,3,,,', roll.slice(0, 1))
    expect(states(without)).toEqual(['matched'])
  })

  test('a row without number is decided also where an import made the child, so that a second can be made', async () => {
    const planned = await plan(',Chipo,3,,,', [child(1, { name: 'Chipo', admissionNumber: null })])
    expect(states(planned)).toEqual(['matched'])
    expect(changesOf(planned, { remove: true, decisions: { 2: 'new' } })).toMatchObject({
      added: [{ name: 'Chipo' }],
      leaving: [],
    })
  })

  test('two rows are not the same child', async () => {
    const entered = child(1, { admissionNumber: null, onRollSince: null, userId: 7 })
    const planned = await plan('A-1,Child 1,3,,,\nA-2,Child 1,3,,,', [entered])
    expect(() => changesOf(planned, { remove: false, decisions: { 2: 1, 3: 1 } })).toThrow(
      code('decision_wrong'),
    )
  })

  test('nobody leaves who was never on the roll, or whose row cannot be read', async () => {
    const roll = [
      child(1, { onRollSince: null, userId: 7, admissionNumber: null }),
      child(2),
      child(3, { admissionNumber: null }),
      child(4),
    ]
    const planned = await plan('A-2,,3,,,\n,Child 3,99,,,\nA-9,New,1,,,', roll)
    expect(planned.leaving.map(({ id }) => id)).toEqual([4])
  })

  test('more than a tenth leaves only when their number is named', async () => {
    const roll = Array.from({ length: 20 }, (_, index) => child(index + 1))
    const rowsFrom = (first: number) =>
      roll
        .slice(first)
        .map(({ id }) => `A-${id},Child ${id},3,,,`)
        .join('\n')
    const two = await plan(rowsFrom(2), roll)
    expect(() => decideLeaving(two, { remove: true })).not.toThrow()
    const three = await plan(rowsFrom(3), roll)
    expect(() => decideLeaving(three, { remove: false })).not.toThrow()
    expect(() => decideLeaving(three, { remove: true, confirm: 2 })).toThrow(code('confirm_leaving'))
    expect(() => decideLeaving(three, { remove: true, confirm: 3 })).not.toThrow()
  })

  test('is applied as it was shown, or not at all', async () => {
    const text = 'A-1,Child 1,4,,,'
    const shown = planTold(await plan(text, [child(1)]))
    const again = await plan(text, [child(1)])
    expect(() => decideAsPreviewed(shown, planTold(again))).not.toThrow()
    for (const roll of [[child(1, { class: '3B' })], [child(1), child(2)], []])
      expect(() =>
        decideAsPreviewed(
          shown,
          planTold(planOfRoll({ lines: again.rows.map(({ line }) => line), unread: [] }, roll)),
        ),
      ).toThrow(code('roll_changed'))
  })
})

const line = fc.record({
  number: fc.oneof(
    fc.constant(''),
    fc.integer({ min: 1, max: 12 }).map((number) => `N${number}`),
  ),
  name: fc.constantFrom('Chipo', 'chipo', 'Mapalo', 'Luse', ''),
  grade: fc.constantFrom('1', 'Grade 1', 'K', '99'),
  class: fc.constantFrom('', '1A'),
  guardian: fc.constantFrom('', 'Mrs Banda'),
})

/** The roll after the changes, as the tables would have it. */
const applied = (roll: readonly RollChild[], changes: ReturnType<typeof changesOf>): RollChild[] => {
  const kept = roll.map((one) => {
    const values = changes.changed.find(({ child: { id } }) => id === one.id)?.values
    if (values) return { ...one, ...values, onRollSince: one.onRollSince ?? since, leftAt: null }
    return changes.leaving.some(({ id }) => id === one.id) ? { ...one, leftAt: since } : one
  })
  const nobody = { admissionNumber: null, class: null, guardianName: null }
  return [
    ...kept,
    ...changes.added.map((values, index) => child(1000 + roll.length + index, { ...nobody, ...values })),
  ]
}

test('whatever the file, once it was applied it has nothing new to say', async () => {
  const files = fc.array(line, { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(files, files, fc.boolean(), async (first, second, remove) => {
      const entered = child(1, {
        name: 'Chipo',
        grade: '1',
        admissionNumber: null,
        onRollSince: null,
        userId: 7,
      })
      let roll: RollChild[] = [
        entered,
        child(2, { name: 'Luse', grade: '1', admissionNumber: 'N1', userId: 8 }),
      ]
      for (const rows of [first, second]) {
        const text = rows.map((row) => `${row.number},${row.name},${row.grade},${row.class},${row.guardian}`)
        const file = await read(['admissionNumber,student,grade,class,guardian', ...text].join('\n'))
        roll = applied(roll, changesOf(planOfRoll(file, roll), { remove, decisions: {} }))
        const again = planOfRoll(file, roll)
        const counts = again.rows.filter(({ state }) => state === 'new' || state === 'changed')
        expect(counts).toEqual([])
        if (remove) expect(again.leaving).toEqual([])
        const numbers = roll.flatMap(({ admissionNumber }) => admissionNumber ?? [])
        expect(new Set(numbers).size).toBe(numbers.length)
      }
      expect(roll[0]).toMatchObject({ leftAt: null })
    }),
    { numRuns: tries(200) },
  )
})

test('a school of 1,500 with every kind of mistake is planned', async () => {
  const rows = Array.from({ length: 1500 }, (_, index) => {
    const mistake = index % 50
    const name = mistake === 1 ? '' : `Child ${index}`
    const grade = mistake === 2 ? '14' : String((index % 12) + 1)
    const number = mistake === 3 ? 'TWICE' : mistake === 4 ? '' : `A-${index}`
    return `${number},${name},${grade},3B,Guardian ${index % 900},${mistake === 5 ? 'x' : `g${index % 900}@example.org`},097700${index}`
  })
  const roll = rows.flatMap((_, index) => (index % 3 === 0 ? [child(index, { name: `Child ${index}` })] : []))
  const file = await read(['admissionNumber,student,grade,class,guardian,email,phone', ...rows].join('\n'))
  const plan = planOfRoll(file, roll)
  expect([file.lines.length, file.errors.length]).toEqual([1500 - 4 * 30, 4 * 30])
  const count = (state: string) => plan.rows.filter((row) => row.state === state).length
  expect(count('new') + count('changed') + count('same') + count('matched')).toBe(plan.rows.length)
  expect(count('changed')).toBeGreaterThan(400)
})

const chipo = { id: 118, userId: 7, name: 'Chipo', grade: '4', class: '4B', admissionNumber: null }

test.each([
  ['one that is not there', undefined, 'student_not_found'],
  ['a staff entry', { ...chipo, grade: 'teacher' }, 'staff_account'],
])('%s is no child of the roll', (_what, student, refusal) =>
  expect(() => decideChild(student)).toThrow(code(refusal)),
)

test.each([
  ['that is not kept', undefined],
  ['that was looked through and never applied', { appliedAt: null, undoneAt: null }],
])('a list %s cannot be undone', (_what, found) => {
  const at = new Date('2026-09-14T05:00:00Z')
  expect(() => decideUndo(found, at)).toThrow(code('import_not_found'))
  const applied = { appliedAt: at, undoneAt: null }
  expect(decideUndo(applied, at)).toBe(applied)
})

test('an entry is not merged into itself', () => {
  expect(() => decideTwins(118, 118)).toThrow(code('same_student'))
  expect(() => decideTwins(118, 119)).not.toThrow()
})

test.each([
  [1, 'A meal is being paid for. Please try again when that is done.'],
  [2, '2 meals are being paid for. Please try again when that is done.'],
])('with %i meal(s) being paid for a child stays where it is', (meals, message) => {
  expect(() => decideNothingInPayment(meals)).toThrow(
    expect.objectContaining({ code: 'meals_in_payment', message }),
  )
  expect(() => decideNothingInPayment(0)).not.toThrow()
})

test('two with lunches on one date are not merged, and the dates are told', () => {
  const dates = ['2026-09-15', '2026-09-16']
  expect(() => decideNoSameDate(dates)).toThrow(
    expect.objectContaining({ code: 'same_date', extra: { dates } }),
  )
  expect(() => decideNoSameDate([])).not.toThrow()
})

test('what the child that stays does not have it takes from the other', () => {
  const into: Record<string, string | null> = { class: null, admissionNumber: 'A-1' }
  expect(joined(into, { class: '4B', admissionNumber: 'A-2' }, ['class', 'admissionNumber'])).toEqual({
    class: '4B',
    admissionNumber: 'A-1',
  })
})

describe('the health of both', () => {
  const none = { allergies: null, diet: 'none', medicalNote: '', noteConsent: false } as const
  test('is whatever either must not eat', () => {
    const into = { ...none, allergies: ['Milk'], diet: 'halal' as const }
    const from = { ...none, allergies: ['milk', 'Eggs'], medicalNote: 'Inhaler', noteConsent: true }
    expect(joinedHealth(into, from)).toEqual({
      allergies: ['Milk', 'Eggs'],
      diet: 'halal',
      medicalNote: 'Inhaler',
      noteConsent: true,
    })
  })
  const note = (medicalNote: string, noteConsent: boolean) => ({ ...none, medicalNote, noteConsent })
  test.each([
    [
      'both notes under one consent',
      note('Inhaler', true),
      note('Epilepsy', true),
      note('Inhaler; Epilepsy', true),
    ],
    ['one note that says it for both', note('Inhaler', true), note('Inhaler', true), note('Inhaler', true)],
    [
      'the note that the kitchen may see',
      note('Private', false),
      note('Inhaler', true),
      note('Inhaler', true),
    ],
    ['the note that the kitchen saw', note('Inhaler', true), note('Private', false), note('Inhaler', true)],
    [
      'its own note where both do not fit',
      note('a'.repeat(150), true),
      note('b'.repeat(60), true),
      note('a'.repeat(150), true),
    ],
  ])('has %s', (_what, into, from, kept) => expect(joinedHealth(into, from)).toEqual(kept))
  test('stays undeclared, or what one of them declared', () => {
    expect(joinedHealth(none, none).allergies).toBeNull()
    expect(joinedHealth(none, { ...none, allergies: [] }).allergies).toEqual([])
  })
})
