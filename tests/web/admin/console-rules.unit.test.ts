import * as fc from 'fast-check'
import { featureNames } from '#contracts/identity'
import type { KitchenTotal } from '#contracts/kitchen'
import { liveStatuses, recoveryStatuses } from '#contracts/payments-console'
import { chosenSection, sections, sectionsOf } from '../../../web/features/admin-shell/console-shell'
import {
  addDays,
  comingMondays,
  cycleDate,
  isDate,
  lastDay,
  mondayOf,
  weekdayOf,
} from '../../../web/features/cycles-admin/cycle-text'
import {
  newCycle,
  startOf,
  withDay,
  withinWeeks,
} from '../../../web/features/cycles-admin/wizard/wizard-steps'
import { byClass, ofClass } from '../../../web/features/hatch/lunches/shown-lunches'
import { classesOf } from '../../../web/features/kitchen/class-lists/class-groups'
import {
  completable,
  avoidsPageBreak,
  kitchenDays,
  ordersToComplete,
  plateText,
  rowKey,
} from '../../../web/features/kitchen/cooking/kitchen-groups'
import {
  addressWithDay,
  addressWithView,
  dayFromAddress,
  emptyLabel,
  viewFromAddress,
  viewLabel,
  viewsOf,
} from '../../../web/features/kitchen/kitchen-view'
import { filtersFromAddress, parametersOf } from '../../../web/features/live-orders/live-orders'
import { rowText, statusOnAbandon, statusTones } from '../../../web/features/live-orders/live-text'
import { subjectOfRefund } from '../../../web/features/payment-history/history-subject'
import { total } from '../../../web/features/pending-payments/pending-groups'
import {
  asOrdered,
  childChoices,
  isChange,
  itemChoices,
  charged,
  statusTone,
} from '../../../web/features/recovery/amendments'
import {
  rowsOfChosen,
  validDecisions,
  withOnlyMatches,
} from '../../../web/features/roll-import/preview/decide-card'
import { rowChanges } from '../../../web/features/roll-import/preview/rows-card'
import { addressWith, addressWithPage, pageFromAddress } from '../../../web/lib/list-address'
import { schoolDate, schoolNow } from '../../../web/lib/school-moment'
import { burger, pizza, stew } from '../sample-family'
import { attemptLine, failedAttempt } from './sample-payments'
import { changedRow, matchedRow, taonga } from './sample-roll'

describe('rules of the console', () => {
  const held = (...allowedFeatures: (typeof featureNames)[number][]) =>
    sectionsOf({ isSuperadmin: false, allowedFeatures })

  describe('the console menu', () => {
    test('has a section for every feature', () =>
      expect(sections.map(({ key }) => key).toSorted()).toEqual(featureNames.toSorted()))

    test('shows what is held, in the order of the menu', () =>
      expect(held('cycles', 'kitchen').map(({ label }) => label)).toEqual(['Kitchen View', 'Order Cycles']))

    test('superadmin holds every section', () =>
      expect(sectionsOf({ isSuperadmin: true, allowedFeatures: [] })).toHaveLength(12))

    test('opens the section of the address, else menu, else the first held', () => {
      expect(chosenSection(held('menu', 'cycles'), 'cycles')?.key).toBe('cycles')
      expect(chosenSection(held('menu', 'cycles'), null)?.key).toBe('menu')
      expect(chosenSection(held('kitchen', 'cycles'), null)?.key).toBe('kitchen')
    })

    test('a section that is not held is not opened', () => {
      expect(chosenSection(held('kitchen'), 'menu')?.key).toBe('kitchen')
      expect(chosenSection(held(), 'menu')).toBeNull()
    })
  })

  const whole = { cycleLength: 4, picked: '2026-09-16', blockedDays: [] }
  const messages = (typed: object) =>
    newCycle.safeParse(typed).error?.issues.map(({ message }) => message) ?? []

  describe('the calendar', () => {
    test.each([
      ['2026-09-14', '2026-09-14'],
      ['2026-09-16', '2026-09-14'],
      ['2026-09-20', '2026-09-14'],
      ['2027-01-01', '2026-12-28'],
    ])('the Monday of %s is %s', (date, expected) => expect(mondayOf(date)).toBe(expected))

    test('every date snaps to a Monday at most six days before it', () =>
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 20_000 }), (days) => {
          const date = addDays('2020-01-01', days)
          const snapped = mondayOf(date)
          expect(weekdayOf(snapped)).toBe(1)
          expect([0, 1, 2, 3, 4, 5, 6].map((gap) => addDays(snapped, gap))).toContain(date)
        }),
      ))

    test('days of a cycle count from its Monday', () => {
      expect(cycleDate('2026-09-14', 2, 3)).toBe('2026-09-23')
      expect(lastDay('2026-09-14', 6)).toBe('2026-10-23')
      expect(comingMondays('2026-09-16', 3)).toEqual(['2026-09-14', '2026-09-21', '2026-09-28'])
    })

    test.each([
      ['2026-02-30', false],
      ['14/09/2026', false],
      ['', false],
      ['2026-02-28', true],
    ])('"%s" is a date: %s', (text, expected) => expect(isDate(text)).toBe(expected))
  })

  describe('the wizard', () => {
    test('a pick that is no Monday becomes the Monday of its week', () => {
      expect(startOf('2026-09-16')).toBe('2026-09-14')
      expect(startOf('2026-09-14')).toBe('2026-09-14')
    })

    test.each(['0202-09-16', '2026-02-30', ''])('"%s", half typed or no date, starts no cycle', (picked) => {
      expect(startOf(picked)).toBe('')
      expect(messages({ ...whole, picked })).toEqual(['Please select a Monday as the start date.'])
    })

    test('a cycle has a length of 4 or 6 weeks', () => {
      expect(messages(whole)).toEqual([])
      expect(messages({ ...whole, cycleLength: undefined })).toEqual(['Missing required information'])
      expect(messages({ ...whole, cycleLength: 5 })).toEqual(['Missing required information'])
    })

    test('a day is blocked and freed again, in calendar order', () => {
      const blocked = withDay([{ week: 2, day: 3 }], { week: 1, day: 5 })
      expect(blocked).toEqual([
        { week: 1, day: 5 },
        { week: 2, day: 3 },
      ])
      expect(withDay(blocked, { week: 1, day: 5 })).toEqual([{ week: 2, day: 3 }])
    })

    test('a shorter cycle keeps no blocked day outside it', () => {
      expect(
        withinWeeks(
          [
            { week: 2, day: 3 },
            { week: 6, day: 1 },
          ],
          4,
        ),
      ).toEqual([{ week: 2, day: 3 }])
    })
  })

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
      expect(rowChanges({ ...changedRow, before: { ...before, parent: 'Mr Zulu' } })).toEqual([
        'Grade: 1 → 2',
      ]))
  })

  describe('the badge of a recovery status', () => {
    const tones = { red: 'danger', plain: 'info', green: 'brand', quiet: 'neutral' } as const
    test.each([
      ['Processing started', tones.plain],
      ['Recovery in progress', tones.plain],
      ['Payment verification failed', tones.red],
      ['Invalid student IDs provided', tones.quiet],
      ['Cannot create orders for blocked days', tones.quiet],
      ['Failed to create orders during recovery', tones.red],
      ['Orders created successfully', tones.green],
    ] as const)('%s is %s', (status, tone) => expect(statusTone(status)).toBe(tone))

    test('is known for every status there is', () => expect(recoveryStatuses).toHaveLength(7))
  })

  describe('a live order', () => {
    test('has a colour for every status', () =>
      expect(Object.keys(statusTones).toSorted()).toEqual([...liveStatuses].toSorted()))

    test('says each child, meal, week and day once, in order', () =>
      expect(
        rowText({
          cartItems: [
            attemptLine(0, { weekNumber: 2, dayOfWeek: 5 }),
            attemptLine(1, {
              weekNumber: 1,
              dayOfWeek: 1,
              studentId: 12,
              student: { name: 'Mutinta', grade: '9' },
            }),
            attemptLine(2, { weekNumber: 2, dayOfWeek: 5, menuItem: { id: 2, name: 'Soup', price: 30 } }),
          ],
        }),
      ).toEqual({ students: 'Chanda, Mutinta', items: 'Beef Stew, Soup', weeks: '1, 2', days: 'Mon, Fri' }))

    test('given up with a transaction is abandoned, free without one completed, else impossible', () => {
      expect(statusOnAbandon({ transactionId: 'T', amount: 0 })).toBe('Payment Abandoned')
      expect(statusOnAbandon({ transactionId: null, amount: 0 })).toBe('Orders created successfully')
      expect(statusOnAbandon({ transactionId: null, amount: 1 })).toBeNull()
      expect(statusOnAbandon({ transactionId: '', amount: 1 })).toBeNull()
    })
  })

  describe('the address', () => {
    test('carries what is written and nothing else', () => {
      const address = addressWith(
        new URLSearchParams('section=live_orders&page=4&day=5'),
        parametersOf({ parent: ' mary ', items: '  ' }),
      )
      expect(address.toString()).toBe('section=live_orders&parent=mary')
      expect(filtersFromAddress(address)).toEqual({ parent: 'mary' })
    })

    test('holds no filter longer than the server compares with', () =>
      expect(filtersFromAddress(new URLSearchParams({ items: 'x'.repeat(200) })).items).toHaveLength(100))

    test.each(['', 'page=0', 'page=-1', 'page=x', 'page=1.5'])('%s is page 1', (search) =>
      expect(pageFromAddress(new URLSearchParams(search))).toBe(1),
    )

    test('leaves the first page unnamed', () => {
      expect(addressWithPage(new URLSearchParams('status=a&page=3'), 1).toString()).toBe('status=a')
      expect(addressWithPage(new URLSearchParams('status=a'), 2).toString()).toBe('status=a&page=2')
    })
  })

  describe('money', () => {
    test('adds up to the ngwee', () => {
      expect(charged([0.1, 0.2, 40.05].map((price, at) => attemptLine(at, { discountedPrice: price })))).toBe(
        40.35,
      )
      expect(total([{ amount: 0.1 }, { amount: 0.2 }] as Parameters<typeof total>[0])).toBe(0.3)
    })
  })

  describe('an amendment', () => {
    const line = attemptLine(0)

    test('is a change only when it differs from what was ordered', () => {
      expect(isChange(line, asOrdered(line))).toBe(false)
      expect(isChange(line, { ...asOrdered(line), dayOfWeek: 5 })).toBe(true)
    })

    test('offers the dishes of the day that are of the same kind and cost no more', () => {
      const ofTheDay = [
        stew,
        pizza,
        { ...burger, price: '40' },
        { ...pizza, id: 4, name: 'Feast', price: '45.5' },
      ]
      const menu = ofTheDay.map((item) => ({ ...item, daysOfWeek: [3] }))
      expect(itemChoices(line, asOrdered(line), menu).map(({ label }) => label)).toEqual([
        'Beef Stew (as ordered)',
        'Pizza, K40.50',
      ])
    })

    test('offers the children of the cart where the family is not known', () => {
      const order = failedAttempt({
        cartItems: [line, attemptLine(1, { studentId: 12, student: { name: 'Mutinta', grade: '9' } })],
      })
      expect(childChoices(line, order).map(({ label }) => label)).toEqual([
        'Chanda (as ordered)',
        'Mutinta, Grade 9',
      ])
    })
  })

  describe('the history of a refund', () => {
    test('is that of its order, or of the attempt of its line', () => {
      expect(subjectOfRefund('118.2026-09-24.1', 't')).toEqual({
        of: 'order',
        id: '118.2026-09-24.1',
        title: 't',
      })
      expect(subjectOfRefund('0199a0b2-0000-7000-8000-000000000001.12', 't')).toMatchObject({
        of: 'attempt',
        id: '0199a0b2-0000-7000-8000-000000000001',
      })
    })
  })
})

describe('rules of the kitchen screen', () => {
  const row = (more: Partial<KitchenTotal>): KitchenTotal => ({
    weekNumber: 1,
    dayOfWeek: 1,
    mealDate: '2026-09-14',
    menuItemId: 1,
    menuItem: 'Stew',
    type: 'primary',
    total: 3,
    unpaid: 0,
    completed: 0,
    cancelledLate: 0,
    proteins: [],
    sides: [],
    plates: [],
    pendingOrderIds: ['1.2026-09-14.1'],
    ...more,
  })

  describe('the kitchen by day', () => {
    const stew = row({ total: 3, unpaid: 1 })
    const soup = row({ menuItemId: 2, menuItem: 'Soup', total: 5, completed: 5, pendingOrderIds: [] })
    const wrap = row({ menuItemId: 3, menuItem: 'Wrap', type: 'secondary', total: 2, cancelledLate: 1 })
    const friday = row({ mealDate: '2026-09-18', dayOfWeek: 5, pendingOrderIds: ['1.2026-09-18.1'] })
    const days = kitchenDays([friday, stew, wrap, soup])

    test('days are in calendar order', () => expect(days.map((day) => day.dayOfWeek)).toEqual([1, 5]))

    test('each day has its primary and secondary rows, largest first', () => {
      expect(days[0]?.primary.map((r) => r.menuItem)).toEqual(['Soup', 'Stew'])
      expect(days[0]?.secondary.map((r) => r.menuItem)).toEqual(['Wrap'])
    })

    test('a day adds up its rows', () =>
      expect(days[0]).toMatchObject({ total: 10, unpaid: 1, completed: 5, cancelledLate: 1 }))

    test('the chosen rows give their open orders, each once', () => {
      const chosen = new Set([rowKey(stew), rowKey(friday), rowKey(soup)])
      expect(ordersToComplete([stew, wrap, soup, friday], chosen)).toEqual([
        '1.2026-09-14.1',
        '1.2026-09-18.1',
      ])
    })

    test('a row with nothing open cannot be chosen', () => {
      expect(completable(soup)).toBe(false)
      expect(completable(stew)).toBe(true)
    })
  })

  test('a plate is what is on it, and the meal where there is nothing to choose', () => {
    const plates = [
      { category: 'beef', sideDish: 'Nshima' },
      { category: 'beef', sideDish: null },
      { category: null, sideDish: 'rape' },
      { category: null, sideDish: null },
    ]
    expect(plates.map((one) => plateText(one, 'Stew'))).toEqual(['Beef with Nshima', 'Beef', 'Rape', 'Stew'])
  })

  const plate = (remarks: number) => ({
    category: 'chicken',
    sideDish: null,
    count: 99,
    comments: Array.from({ length: remarks }, (_, index) => ({
      text: `Table ${index}`,
      count: 1,
      students: ['Chipo Banda'],
    })),
  })

  test('on paper an item stays in one piece unless its plates have more than twelve lines', () => {
    expect(avoidsPageBreak(row({ plates: [plate(10), plate(0), plate(1)] }))).toBe(true)
    expect(avoidsPageBreak(row({ plates: [plate(10), plate(3)] }))).toBe(false)
  })

  describe('the view selector', () => {
    test('offers today and every week of the cycle', () => {
      expect(viewsOf(4).map(viewLabel)).toEqual(["Today's Orders", 'Week 1', 'Week 2', 'Week 3', 'Week 4'])
      expect(viewsOf(6)).toHaveLength(7)
    })

    test.each([
      ['', 'today'],
      ['week=3', 3],
      ['week=5', 'today'],
      ['week=two', 'today'],
    ] as const)('the address "%s" shows %s of a four-week cycle', (search, view) => {
      expect(viewFromAddress(new URLSearchParams(search), 4)).toBe(view)
    })

    test('the choice is written to the address beside the section', () => {
      expect(addressWithView(new URLSearchParams('section=kitchen'), 2).toString()).toBe(
        'section=kitchen&week=2',
      )
      expect(addressWithView(new URLSearchParams('section=kitchen&week=2'), 'today').toString()).toBe(
        'section=kitchen',
      )
    })

    test.each([
      ['day=3', 2, 3],
      ['day=6', 2, null],
      ['day=friday', 2, null],
      ['', 2, null],
      ['day=3', 'today', null],
    ] as const)('the address "%s" shows of %s the day %s', (search, view, day) => {
      expect(dayFromAddress(new URLSearchParams(search), view)).toBe(day)
    })

    test('a day is written beside its week and goes with it', () => {
      const friday = addressWithDay(new URLSearchParams('week=2'), 5)
      expect(friday.toString()).toBe('week=2&day=5')
      expect(addressWithDay(friday, null).toString()).toBe('week=2')
      expect(addressWithView(friday, 3).toString()).toBe('week=3&day=5')
      expect(addressWithView(friday, 'today').toString()).toBe('')
    })

    test('empty views say which', () => {
      expect(emptyLabel('today', schoolDate(schoolNow()))).toBe('No orders for today')
      expect(emptyLabel('today', null)).toBe('No orders for today')
      expect(emptyLabel('today', '2031-05-05')).toBe('No orders for Monday, 5 May 2031')
      expect(emptyLabel(3, null)).toBe('No orders for week 3')
    })
  })
})

test('3B, 3 B and Grade 3B are one class on lists, labels and at the hatch', () => {
  const entries = ['3B', 'Grade 3B', '3 b', null].map((of) => ({ grade: '3', class: of }))
  const groups = classesOf(entries as unknown as Parameters<typeof classesOf>[0])
  expect(groups.map(({ label, entries: inClass }) => [label, inClass.length])).toEqual([
    ['3B', 3],
    ['Grade 3', 1],
  ])
  const shown = entries.map((lunch) => ({ lunch })) as unknown as Parameters<typeof byClass>[0]
  expect(byClass(shown).map(([label, lunches]) => [label, lunches.length])).toEqual([
    ['3B', 3],
    ['Grade 3', 1],
  ])
  expect(ofClass(shown, '3B').map(({ lunch }) => lunch.class)).toEqual(['3B', 'Grade 3B', '3 b'])
  expect(ofClass(shown, 'Grade 3').map(({ lunch }) => lunch.class)).toEqual([null])
  expect(ofClass(shown, '')).toEqual(shown)
})
