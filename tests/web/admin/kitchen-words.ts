import { getCycleLength, listCycles } from '#contracts/cycles'
import {
  kitchenChanges,
  kitchenPrints,
  kitchenToday,
  kitchenWeek,
  notePrint,
  type KitchenTotal,
} from '#contracts/kitchen'
import { schoolDate, schoolNow } from '../../../web/lib/school-moment'
import { fakeServer } from './fake-server'
import { adminWith } from './open-console'

const metadata = {
  total: 0,
  page: 1,
  pageSize: 100,
  totalPages: 1,
  hasNextPage: false,
  hasPreviousPage: false,
}
const today = schoolDate(schoolNow())
export const kitchenOf = (...totals: KitchenTotal[]) => ({
  data: [],
  metadata,
  totals,
  allergies: null,
  planned: [],
  date: today,
})

export const row = (more: Partial<KitchenTotal>): KitchenTotal => ({
  weekNumber: 1,
  dayOfWeek: 1,
  mealDate: '2026-09-14',
  menuItemId: 1,
  menuItem: 'Beef Stew',
  type: 'primary',
  total: 140,
  unpaid: 0,
  completed: 0,
  cancelledLate: 0,
  proteins: [{ name: 'beef', count: 140 }],
  sides: [
    { name: 'Nshima', count: 138 },
    { name: 'Rice', count: 2 },
  ],
  plates: [
    {
      category: 'beef',
      sideDish: 'Nshima',
      count: 138,
      comments: [
        { text: 'No onions', count: 2, students: ['Chipo Banda', 'Luse Phiri'] },
        { text: 'Cut small', count: 1, students: ['Wezi Zulu'] },
      ],
    },
    {
      category: 'beef',
      sideDish: 'Rice',
      count: 2,
      comments: [{ text: 'Extra relish', count: 1, students: ['Bupe Mwale'] }],
    },
  ],
  pendingOrderIds: ['1.2026-09-14.1', '2.2026-09-14.1'],
  ...more,
})

const wrap = row({
  menuItemId: 2,
  menuItem: 'Chicken Wrap',
  type: 'secondary',
  total: 9,
  unpaid: 2,
  sides: [],
  pendingOrderIds: ['3.2026-09-14.1'],
})
export const done = row({
  menuItemId: 3,
  menuItem: 'Soup',
  total: 4,
  completed: 4,
  cancelledLate: 1,
  pendingOrderIds: [],
})

export const cook = adminWith('kitchen')

const changesAt = '2026-09-14T05:00:00.000Z'

/** A server with a cycle of six weeks: three meals today, two days in week 2, nothing in the others. */
export const kitchenServer = (cutoffs: Readonly<Record<number, string>> = {}) => {
  const server = fakeServer()
  server.on(getCycleLength, { cycleLength: 6 })
  server.on(listCycles, [
    {
      id: 7,
      isActive: true,
      startDate: '2026-09-14',
      endDate: '2026-10-23',
      cycleLength: 6,
      createdAt: '2026-09-10T08:00:00.000Z',
      blockedDays: [],
      weeks: [
        {
          week: 1,
          startDate: '2026-09-14',
          endDate: '2026-09-18',
          completed: false,
          days: [14, 15, 16, 17, 18].map((date) => ({
            day: date - 13,
            date: `2026-09-${date}`,
            state: 'open' as const,
            cutoffAt: cutoffs[date] ?? `2026-09-${date}T06:00:00.000Z`,
          })),
        },
      ],
    },
  ])
  server.on(kitchenChanges, { at: changesAt, since: changesAt, changes: [] })
  server.on(notePrint, { at: changesAt })
  server.on(kitchenPrints, { data: [] })
  server.on(kitchenToday, kitchenOf(row({}), wrap, done))
  server.on(kitchenWeek, ({ params }) =>
    params.week === 2
      ? kitchenOf(
          row({ weekNumber: 2, dayOfWeek: 5, mealDate: '2026-09-25' }),
          row({ weekNumber: 2, dayOfWeek: 1, mealDate: '2026-09-21' }),
        )
      : kitchenOf(),
  )
  return server
}
