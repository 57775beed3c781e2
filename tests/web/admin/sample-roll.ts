import type { RollEntry } from '#contracts/enrolment'
import { onePage } from './sample-settings'

/** Has an account; `mapalo` is on the school's list alone. */
export const chipo: RollEntry = {
  id: 31,
  name: 'Chipo Banda',
  grade: '4',
  class: '4B',
  admissionNumber: 'A-17',
  parent: { id: 7, username: 'mwila.banda', name: 'Mwila Banda' },
  guardian: null,
  onRoll: true,
  leftAt: null,
}
export const mapalo: RollEntry = {
  id: 44,
  name: 'Mapalo Zulu',
  grade: '2',
  class: null,
  admissionNumber: null,
  parent: null,
  guardian: { name: 'Mrs Zulu', email: 'zulu@example.org', phone: '0977 100 200' },
  onRoll: true,
  leftAt: null,
}

export const rollOf = (data: RollEntry[], totalPages = 1) => ({
  data,
  metadata: { ...onePage, total: data.length, totalPages },
  classes: ['4B', '10A'],
})
