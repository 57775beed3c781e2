import type { DomainEvent } from '#kernel/event'
import * as ordering from '#modules/ordering/published'

const at = '2026-09-18T08:00:00.000Z'
const week = '2026-09-21'
const about = { userId: 5, at }
const dish = { menuItemId: 3, category: 'beef', sideDish: null, price: 4500 }
const planned: ordering.PlannedWeek = {
  week,
  dueAt: '2026-09-20T15:00:00.000Z',
  pay: { by: 'prompt', network: 'airtel' },
  lines: [
    {
      menuItemId: 3,
      category: 'beef',
      sideDish: null,
      studentId: 118,
      date: week,
      week: 2,
      day: 1,
      name: 'Beef Stew',
      originalPrice: 5000,
      price: 4500,
    },
  ],
  left: [{ studentId: 118, date: '2026-09-22', code: 'already_ordered' }],
  credit: 500,
}

/** What happens to a family's plan. */
export const planSamples: readonly [event: DomainEvent, sentence: string][] = [
  [
    ordering.planSet({
      ...about,
      plan: {
        children: [{ studentId: 118, days: [{ day: 1, dishes: [dish] }] }],
        at: { day: 0, hour: 17, minute: 0 },
        pay: planned.pay,
        weekLimit: null,
      },
      paused: false,
      fromWeek: week,
    }),
    'Plan of {user:5} set: every Sunday 17:00 for 1 child',
  ],
  [
    ordering.planPaused({ ...about, paused: true, by: 'system', fromWeek: week }),
    'Plan of {user:5} paused, as three weeks were not paid',
  ],
  [ordering.planEnded(about), 'Plan of {user:5} ended'],
  [
    ordering.planDaySkipped({ ...about, studentId: 118, date: week, skip: true }),
    'Plan of {user:5}: 2026-09-21 for {student:118} skipped',
  ],
  [
    ordering.planWeekAnnounced({ ...about, ...planned }),
    'Told {user:5} that the plan orders 1 meal for the week of 2026-09-21',
  ],
  [
    ordering.planWeekBegun({ ...about, ...planned, number: 1 }),
    'The plan of {user:5} orders 1 meal for the week of 2026-09-21',
  ],
  [
    ordering.planWeekTurned({ ...about, week, state: 'not_paid' }),
    'The week of 2026-09-21 by the plan of {user:5} was not paid',
  ],
]
