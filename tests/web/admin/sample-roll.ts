import type { ReplyOf } from '#contracts/endpoint'
import type { RollEntry } from '#contracts/enrolment'
import type { applyRoll, previewRoll, RollRow } from '#contracts/roll-import'
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
  version: 'filled',
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
  version: 'filled',
}

export const rollOf = (data: RollEntry[], totalPages = 1) => ({
  data,
  metadata: { ...onePage, total: data.length, totalPages },
  classes: ['4B', '10A'],
})

const id = '01990000-0000-7000-8000-00000000000a'

/** A new child of the school's list. */
export const newRow: RollRow = {
  row: 2,
  state: 'new',
  admissionNumber: 'A-2',
  student: 'Luse Banda',
  grade: '2',
  class: '2A',
  guardian: 'Mrs Banda',
  email: null,
  phone: '0977 100 200',
  before: null,
  candidates: [],
  isClear: false,
}

/** A child that is here already, on an account, and has no number yet. */
export const taonga = {
  id: 61,
  name: 'Taonga Mwale',
  grade: '3',
  class: null,
  admissionNumber: null,
  parent: 'Mr Mwale',
  account: { username: 'mwale', email: 'mwale@example.org', emailVerified: true },
  guardian: null,
  email: null,
  phone: null,
  onRoll: false,
}

export const changedRow: RollRow = {
  ...newRow,
  row: 3,
  state: 'changed',
  student: 'Mapalo Zulu',
  before: {
    ...taonga,
    id: 62,
    name: 'Mapalo Zulu',
    grade: '1',
    class: '2A',
    admissionNumber: 'A-2',
    parent: null,
    account: null,
  },
}

export const matchedRow: RollRow = {
  ...newRow,
  row: 4,
  state: 'matched',
  student: 'Taonga Mwale',
  candidates: [taonga],
  isClear: true,
}

export const rowsOf = (data: RollRow[], totalPages = 1) => ({
  data,
  metadata: { ...onePage, total: data.length, totalPages },
})

export const previewOf = (more: Partial<ReplyOf<typeof previewRoll>> = {}): ReplyOf<typeof previewRoll> => ({
  id,
  new: 1,
  changed: 0,
  same: 0,
  matched: 0,
  leaving: 0,
  bursaries: 0,
  roll: 40,
  errors: [],
  rows: [],
  notRead: [],
  notJoined: [],
  leftOut: [],
  leftOutCount: 0,
  notes: [],
  ...more,
})

export const resultOf = (more: Partial<ReplyOf<typeof applyRoll>> = {}): ReplyOf<typeof applyRoll> => ({
  added: 1,
  changed: 0,
  left: 0,
  leftOut: 0,
  kept: [],
  codes: [],
  undoUntil: '2026-11-30T12:20:00.000Z',
  ...more,
})

export const lastImport = {
  import: { id, appliedAt: '2026-11-23T12:20:00.000Z', undoUntil: '2026-11-30T12:20:00.000Z' },
}
