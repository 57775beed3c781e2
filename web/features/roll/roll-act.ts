import type { ReactNode } from 'react'
import { type RollEntry, mergeStudent, moveStudent } from '#contracts/enrolment'
import { gradeLabel } from '../../lib/format'
import { updateStudent } from '#contracts/identity'
import { endpointMutation } from '../../lib/endpoint-query'
import { parentsQuery, rollQuery } from '../../queries/enrolment'

/** What the office can do about the entry of a child. */
export type RollAct = 'edit' | 'more' | 'move' | 'merge' | 'guardians' | 'letter'
export type AskedAct = { act: RollAct; child: RollEntry }

type Render = (child: RollEntry, onClose: () => void) => ReactNode

/** The dialogs of other features: the guardians of a child, and a new letter for its family. */
export type OtherDialogs = { guardians: Render; letter: Render }

/** "Grade 4, 4B". */
export const gradeAndClass = ({ grade, class: of }: { grade: string; class: string | null }): string =>
  of ? `${gradeLabel(grade)}, ${of}` : gradeLabel(grade)

/** What tells an entry from another of the same name: grade, class, number and family. */
export const tellingWords = (child: RollEntry): (string | null)[] => [
  gradeAndClass(child),
  child.admissionNumber && `No. ${child.admissionNumber}`,
  child.parent ? `${child.parent.name} (${child.parent.username})` : 'No account',
  child.leftAt && 'Left',
]

/** How many children or accounts are shown that were looked for by a name. */
const maxFound = 20

/** Children in whom this text is found. */
export const childrenQuery = (text: string) => rollQuery({ text, limit: maxFound })

/** Accounts are searched by at least so many characters (administrator.md section 3). */
export const minSearchLength = 3

/** Accounts in which this text is found, teachers' among them. */
export const accountsQuery = (search: string) => ({
  ...parentsQuery({ search, limit: maxFound }),
  enabled: search.length >= minSearchLength,
})

export const edit = endpointMutation(updateStudent, 'identity', 'ordering')
export const move = endpointMutation(moveStudent, 'identity', 'ordering')
export const merge = endpointMutation(mergeStudent, 'identity', 'ordering')
