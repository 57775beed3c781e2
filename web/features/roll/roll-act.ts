import type { ReactNode } from 'react'
import { type RollEntry, mergeStudent, moveStudent } from '#contracts/enrolment'
import { updateStudent } from '#contracts/identity'
import { endpointMutation } from '../../lib/endpoint-query'
import { gradeLabel } from '../../lib/format'
import { parentsQuery, rollQuery } from '../../queries/enrolment'

export type RollAct = 'edit' | 'more' | 'move' | 'merge' | 'guardians' | 'letter'
export type RollRequest = { act: RollAct; child: RollEntry }

type Render = (child: RollEntry, onClose: () => void) => ReactNode

/** Dialogs of other features. */
export type OtherDialogs = { guardians: Render; letter: Render }

/** "Grade 4, 4B". */
export const gradeAndClass = ({ grade, class: of }: { grade: string; class: string | null }): string =>
  of ? `${gradeLabel(grade)}, ${of}` : gradeLabel(grade)

/** Grade, class, number and family. */
export const distinguishingTexts = (child: RollEntry): (string | null)[] => [
  gradeAndClass(child),
  child.admissionNumber && `No. ${child.admissionNumber}`,
  child.parent ? `${child.parent.name} (${child.parent.username})` : 'No account',
  child.leftAt && 'Left',
]

const maxFound = 20

/** Matches of the text. */
export const childrenQuery = (text: string) => rollQuery({ text, limit: maxFound })

/** administrator.md section 3. */
export const minSearchLength = 3

/** Includes teachers. */
export const accountsQuery = (search: string) => ({
  ...parentsQuery({ search, limit: maxFound }),
  enabled: search.length >= minSearchLength,
})

export const edit = endpointMutation(updateStudent, 'identity', 'ordering')
export const move = endpointMutation(moveStudent, 'identity', 'ordering')
export const merge = endpointMutation(mergeStudent, 'identity', 'ordering')
