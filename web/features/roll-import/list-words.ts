import type { RollColumn, RollRowState } from '#contracts/roll-import'
import type { Tone } from '../../ui/badge'

/** What each column of the school's list holds. */
export const columnWords: Record<RollColumn, { label: string; holds: string; needed?: boolean }> = {
  admissionNumber: {
    label: 'Admission number',
    holds: 'By it the child is found again next time. Each child has its own.',
  },
  student: { label: 'Student', holds: 'The whole name of the child', needed: true },
  grade: { label: 'Grade', holds: 'ELC, K or 1 to 12', needed: true },
  class: { label: 'Class', holds: 'Such as 3B' },
  guardian: { label: 'Guardian', holds: 'To whom the letter with the claim code is addressed' },
  email: { label: 'Email', holds: 'Where the claim code is mailed to' },
  phone: { label: 'Phone', holds: 'Such as 0977 123 456' },
}

/** What a list does with a row. */
export const stateWords: Record<RollRowState, { label: string; tone: Tone }> = {
  new: { label: 'New', tone: 'brand' },
  changed: { label: 'Changed', tone: 'info' },
  same: { label: 'Same', tone: 'neutral' },
  matched: { label: 'To decide', tone: 'warning' },
}
