import type { Knex } from 'knex'
import { grades } from '#contracts/identity'
import type { SchoolDate } from '#kernel/school-time'

/** The most lunches of a day that one list has. */
export const mostLunches = 10_000

/** What the school does not keep of a child: its class, and what it must not have. */
export const undeclared = { class: null, allergies: null, medicalNote: null }

/** The lunches of a day that are cooked or to be cooked. */
export const lunchesOn = (knex: Knex, date: SchoolDate) =>
  knex('ordering.orders').where('orders.meal_date', date).whereIn('orders.status', ['pending', 'completed'])

/** What orders lunches from the smallest children to staff. */
export const byGrade = { sql: 'array_position(?::text[], student_grade)', bindings: [[...grades]] }
