import { gradeLabel } from '../../lib/format'
import type { StudentValues } from './student-form'

/** Name and grade of a student, and what is being done to them, as "Saving…". */
export const StudentWords = ({ student, saving }: { student: StudentValues; saving?: string }) => (
  <div className="min-w-0 flex-1 basis-[8rem]">
    <p className="font-semibold wrap-anywhere">{student.name}</p>
    <p className="text-sm text-muted">
      {gradeLabel(student.grade)}
      {saving ? <span> · {saving}</span> : null}
    </p>
  </div>
)
