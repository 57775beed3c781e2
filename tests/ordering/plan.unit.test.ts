import { instantAt } from '#kernel/school-time'
import * as events from '#modules/ordering/plan/events'
import {
  firstWeek,
  hourOf,
  isHourAllowed,
  minuteOfWeek,
  stepAt,
  weekOrderedOn,
} from '#modules/ordering/plan/plan-hours.decide'
import { familyPlan, type PlanCommand } from '#modules/ordering/plan/plan.decide'
import { fold, specificationOf } from '../support/given-when-then'
import { mary, zone } from './lunches'

const now = new Date('2026-09-18T08:00:00.000Z')
const about = { userId: mary, at: now.toISOString() }
const asked = { userId: mary, now }
const week = '2026-09-21'
const dish = { menuItemId: 3, category: null, sideDish: null, price: 4550 }
const plan: events.FamilyPlan = {
  children: [{ studentId: 118, days: [{ day: 1, dishes: [dish] }] }],
  at: { day: 0, hour: 17, minute: 0 },
  pay: { by: 'prompt', network: 'airtel' },
  weekLimit: null,
}
const { price: _price, ...meal } = dish
const planned: events.PlannedWeek = {
  week,
  dueAt: '2026-09-20T15:00:00.000Z',
  pay: plan.pay,
  lines: [
    {
      ...meal,
      studentId: 118,
      date: week,
      week: 2,
      day: 1,
      name: 'Nshima',
      originalPrice: 4550,
      price: 4550,
    },
  ],
  left: [],
  credit: 0,
}
const set = events.planSet({ ...about, plan, paused: false, fromWeek: week })
const begun = events.planWeekBegun({ ...about, ...planned, number: 1 })
const turned = (state: 'ordered' | 'waiting' | 'not_paid' | 'nothing' | 'failed', of = week) =>
  events.planWeekTurned({ ...about, week: of, state })
const begin = (why: 'hour' | 'press' | 'again', more: Partial<PlanCommand> = {}): PlanCommand =>
  ({ ...asked, kind: 'begin', why, planned, ...more }) as PlanCommand

const spec = specificationOf(familyPlan)

describe('a plan', () => {
  test('that is set as it is changes nothing', () =>
    spec
      .given(set)
      .when({ ...asked, kind: 'set', plan, paused: false, fromWeek: '2026-09-28' })
      .nothingHappens())
  test('keeps the week that it would order, unless its hour changes to one that has passed', () => {
    const command = { ...asked, kind: 'set', paused: false, fromWeek: '2026-09-28' } as const
    const dearer = { ...plan, weekLimit: 9000 }
    spec
      .given(set)
      .when({ ...command, plan: dearer })
      .then({ ...set, data: { ...set.data, plan: dearer } })
    const earlier = { ...plan, at: { day: 5, hour: 9, minute: 0 } }
    spec
      .given(set)
      .when({ ...command, plan: earlier })
      .then({ ...set, data: { ...set.data, plan: earlier, fromWeek: '2026-09-28' } })
  })
  test('begins a week once at its hour', () => {
    spec.given(set).when(begin('hour')).then(begun)
    for (const past of [
      [begun],
      [begun, turned('ordered')],
      [begun, turned('failed')],
      [begun, turned('nothing')],
    ])
      spec
        .given(set, ...past)
        .when(begin('hour'))
        .nothingHappens()
  })
  test('that has nothing to order says so', () =>
    spec
      .given(set)
      .when(begin('hour', { planned: { ...planned, lines: [] } }))
      .then({ ...begun, data: { ...begun.data, lines: [] } }, turned('nothing')))
  test('orders nothing once it ended', () => {
    spec.given(set, events.planEnded(about)).when(begin('hour')).nothingHappens()
    spec
      .given(set, events.planEnded(about))
      .when({ ...asked, kind: 'end' })
      .nothingHappens()
  })
  test('tries again by a press what was not paid or failed, and nothing else', () => {
    const second = { ...begun, data: { ...begun.data, number: 2 } }
    for (const state of ['not_paid', 'failed', 'nothing'] as const)
      spec.given(set, begun, turned(state)).when(begin('press')).then(second)
    for (const past of [[begun], [begun, turned('ordered')]])
      spec
        .given(set, ...past)
        .when(begin('press'))
        .nothingHappens()
  })
  test('that is decided anew keeps its try where no checkout was stored', () => {
    spec
      .given(set, begun)
      .when(begin('again', { sameTry: true }))
      .then(begun)
    spec.given(set, begun, turned('ordered')).when(begin('again')).nothingHappens()
  })
  test('pauses itself after three weeks in a row that nobody paid', () => {
    const weeks = ['2026-09-07', '2026-09-14']
    const unpaid = weeks.flatMap((of) => [
      { ...begun, data: { ...begun.data, week: of } },
      turned('not_paid', of),
    ])
    const turn = { ...asked, kind: 'turn', week, state: 'not_paid' } as const
    const paused = events.planPaused({ ...about, paused: true, by: 'system', fromWeek: week })
    spec
      .given(set, ...unpaid, begun)
      .when(turn)
      .then(turned('not_paid'), paused)
    spec.given(set, begun).when(turn).then(turned('not_paid'))
    const goesOn = events.planPaused({ ...about, paused: false, by: 'family', fromWeek: week })
    spec
      .given(set, ...unpaid, paused, goesOn, begun)
      .when(turn)
      .then(turned('not_paid'))
    const failed = [{ ...begun, data: { ...begun.data, week: '2026-09-18' } }, turned('failed', '2026-09-18')]
    spec
      .given(set, ...unpaid, ...failed, begun)
      .when(turn)
      .then(turned('not_paid'), paused)
  })
  test('is announced once', () => {
    const announced = events.planWeekAnnounced({ ...about, ...planned })
    spec
      .given(set)
      .when({ ...asked, kind: 'announce', planned })
      .then(announced)
    spec
      .given(set, announced)
      .when({ ...asked, kind: 'announce', planned })
      .nothingHappens()
    spec.given(set, announced).when(begin('hour')).then(begun)
  })
  test('remembers a skipped day until it is planned again', () => {
    const day = { studentId: 118, date: week }
    const skipped = events.planDaySkipped({ ...about, ...day, skip: true })
    spec
      .given(set, skipped)
      .when({ ...asked, kind: 'skip', ...day, skip: true })
      .nothingHappens()
    const state = fold(familyPlan, [set, skipped, events.planDaySkipped({ ...about, ...day, skip: false })])
    expect(state.skipped).toEqual([])
  })
  test('keeps twelve weeks, the newest first', () => {
    const weeks = Array.from({ length: 14 }, (_, index) => `2026-${String(index + 1).padStart(2, '0')}-01`)
    const some = weeks.slice(0, 12).map((of) => ({ ...begun, data: { ...begun.data, week: of } }))
    const state = fold(familyPlan, [set, ...some, begun])
    expect(state.weeks).toHaveLength(12)
    expect(state.weeks[0]!.week > state.weeks[11]!.week).toBe(true)
  })
})

describe('the hour of a plan', () => {
  const at = (day: number, hour: number, minute = 0) => ({ day, hour, minute })
  const cutoff = instantAt(week, 8, 0, zone)

  test('on a Monday orders the week that begins, on any other day the next', () => {
    expect(['2026-09-20', week, '2026-09-22'].map(weekOrderedOn)).toEqual([week, week, '2026-09-28'])
    expect(hourOf(week, at(1, 7), zone)).toEqual(instantAt(week, 7, 0, zone))
    expect(hourOf(week, at(0, 17), zone)).toEqual(instantAt('2026-09-20', 17, 0, zone))
    expect(hourOf(week, at(2, 9), zone)).toEqual(instantAt('2026-09-15', 9, 0, zone))
  })
  test.each([
    [at(4, 12), true],
    [at(4, 11, 59), false],
    [at(0, 17), true],
    [at(1, 7, 30), true],
    [at(1, 7, 31), false],
    [at(2, 9), false],
  ])('lies between Thursday noon and half an hour before the cutoff: %j', (hour, isAllowed) =>
    expect(isHourAllowed(hour, week, cutoff, zone)).toBe(isAllowed),
  )
  test('lies a day before an earlier cutoff', () => {
    const wednesday = instantAt('2026-09-16', 8, 0, zone)
    expect(isHourAllowed(at(2, 8), week, wednesday, zone)).toBe(true)
    expect(isHourAllowed(at(2, 7), week, wednesday, zone)).toBe(false)
    expect(isHourAllowed(at(0, 17), week, wednesday, zone)).toBe(false)
  })
  test('that has passed waits for the week after', () => {
    expect(firstWeek(at(0, 17), instantAt('2026-09-20', 16, 59, zone), zone)).toBe(week)
    expect(firstWeek(at(0, 17), instantAt('2026-09-20', 17, 0, zone), zone)).toBe('2026-09-28')
  })
  test('counts its minutes from Tuesday', () => {
    expect([minuteOfWeek(2, 0, 0), minuteOfWeek(1, 23, 59)]).toEqual([0, 7 * 1440 - 1])
  })
  test('spreads the prompts of one hour over ten minutes, and waits ten minutes after telling', () => {
    const hour = hourOf(week, at(0, 17), zone)
    const minutes = (count: number) => new Date(hour.getTime() + count * 60_000)
    const prompt = { byPrompt: true, announcedAt: minutes(-10), place: 1, among: 2 }
    expect(stepAt(hour, { ...prompt, announcedAt: null }, minutes(-11))).toBe('wait')
    expect(stepAt(hour, { ...prompt, announcedAt: null }, minutes(-10))).toBe('announce')
    expect([4, 5].map((count) => stepAt(hour, prompt, minutes(count)))).toEqual(['wait', 'begin'])
    const late = { ...prompt, place: 0, announcedAt: minutes(60) }
    expect([69, 70].map((count) => stepAt(hour, late, minutes(count)))).toEqual(['wait', 'begin'])
    expect(stepAt(hour, { ...prompt, byPrompt: false }, hour)).toBe('begin')
  })
})
