import type { RollEntry } from '#contracts/roll'
import { gradeLabel } from '../../lib/format'

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
