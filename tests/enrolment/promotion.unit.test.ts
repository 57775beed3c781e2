import {
  decideApplying,
  decideKnown,
  decideUnchanged,
  decideUndoing,
  isAsPromoted,
  planPromotion,
  type Promotion,
  renamedClass,
} from '#modules/enrolment/promotion.decide'

const applied = new Date('2027-01-04T08:00:00Z')
const previewed: Promotion = {
  id: '01920000-0000-7000-8000-000000000001',
  rename: true,
  previewedAt: new Date('2027-01-04T07:00:00Z'),
  appliedAt: null,
  undoneAt: null,
}
const done: Promotion = { ...previewed, appliedAt: applied }
const code = (name: string) => expect.objectContaining({ code: name })
const child = (grade: string, inClass: string | null = null) => ({ id: 118, grade, class: inClass })
const rename = { rename: true }

describe('the class of the next grade', () => {
  test.each([
    ['3B', '3', '4', '4B'],
    ['9 Blue', '9', '10', '10 Blue'],
    ['5', '5', '6', '6'],
    ['Lions', '3', '4', 'Lions'],
    ['4B', '3', '4', '4B'],
    ['30B', '3', '4', '30B'],
    ['03B', '3', '4', '03B'],
    ['KA', 'K', '1', 'KA'],
    ['9 of nineteen signs', '9', '10', '10 of nineteen signs'],
    ['9 of twenty character', '9', '10', '9 of twenty character'],
    [null, '3', '4', null],
  ])('%s of grade %s, now %s, is %s', (name, before, after, renamed) => {
    expect(renamedClass(name, before, after)).toBe(renamed)
  })
})

describe('a year move', () => {
  test.each([
    ['ELC', 'K'],
    ['K', '1'],
    ['5', '6'],
    ['9', '10'],
    ['11', '12'],
  ])('takes grade %s to %s', (before, after) => {
    expect(planPromotion([child(before)], rename)).toEqual([
      expect.objectContaining({ studentId: 118, gradeBefore: before, gradeAfter: after, leaves: false }),
    ])
  })

  test('lets grade 12 leave, with grade and class as they are', () => {
    expect(planPromotion([child('12', '12A')], rename)).toEqual([
      expect.objectContaining({ gradeAfter: '12', classAfter: '12A', leaves: true }),
    ])
  })

  test('leaves classes alone when asked to', () => {
    const [step] = planPromotion([child('3', '3B')], { rename: false })
    expect(step).toMatchObject({ gradeAfter: '4', classBefore: '3B', classAfter: '3B' })
  })
})

describe('applying', () => {
  test('nothing that was never previewed', () => {
    expect(() => decideKnown(undefined)).toThrow(code('promotion_not_found'))
    expect(decideKnown(previewed)).toBe(previewed)
  })

  test('once', () => {
    expect(decideApplying(previewed)).toBe(true)
    expect(decideApplying(done)).toBe(false)
    expect(() => decideApplying({ ...done, undoneAt: applied })).toThrow(code('promotion_undone'))
  })

  const plan = planPromotion([child('3', '3B')], rename)
  test('exactly what was previewed', () => {
    expect(() => decideUnchanged(plan, planPromotion([child('3', '3B')], rename))).not.toThrow()
  })

  test.each([
    ['another grade', [child('4', '3B')]],
    ['another class', [child('3', '3C')]],
    ['a child less', []],
    ['a child more', [child('3', '3B'), { ...child('1'), id: 119 }]],
    ['another child', [{ ...child('3', '3B'), id: 119 }]],
  ])('not with %s', (_what, children) => {
    expect(() => decideUnchanged(plan, planPromotion(children, rename))).toThrow(code('roll_changed'))
  })
})

describe('undoing', () => {
  const days = (count: number) => new Date(applied.getTime() + count * 24 * 3_600_000)
  test('within seven days, once', () => {
    expect(decideUndoing(done, { now: days(7), isLast: true })).toBe(true)
    expect(decideUndoing({ ...done, undoneAt: applied }, { now: days(9), isLast: false })).toBe(false)
  })

  test.each([
    ['what was not applied', previewed, days(0), true, 'promotion_not_applied'],
    ['after seven days', done, new Date(days(7).getTime() + 1), true, 'undo_too_late'],
    ['after another year move', done, days(1), false, 'promotion_not_last'],
  ])('not %s', (_what, promotion, now, isLast, refusal) => {
    expect(() => decideUndoing(promotion, { now, isLast })).toThrow(code(refusal))
  })

  const [step] = planPromotion([child('3', '3B')], rename)
  const [leaving] = planPromotion([child('12')], rename)
  test.each([
    ['is as it was left', step!, { ...child('4', '4B'), leftAt: null }, true],
    ['has another grade', step!, { ...child('3', '4B'), leftAt: null }, false],
    ['has another class', step!, { ...child('4', '4A'), leftAt: null }, false],
    ['has left since', step!, { ...child('4', '4B'), leftAt: days(1) }, false],
    ['left with it', leaving!, { ...child('12'), leftAt: applied }, true],
    ['was taken back', leaving!, { ...child('12'), leftAt: null }, false],
    ['left on another day', leaving!, { ...child('12'), leftAt: days(1) }, false],
  ])('a child that %s', (_what, one, now, asLeft) => {
    expect(isAsPromoted(one, now, done)).toBe(asLeft)
  })
})
