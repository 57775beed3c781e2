import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Student } from '#contracts/identity'
import { gradeLabel } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { IconButton } from '../../ui/icon-button'
import { changeChild } from './api'
import { StudentForm } from './student-form'

/** A registered student; editing opens in its place. A staff account is only shown. */
export const StudentRow = ({ student, onDelete }: { student: Student; onDelete: () => void }) => {
  const [editing, setEditing] = useState(false)
  const edit = useFocusWhenDone(editing)
  const saving = useMutation(changeChild)
  if (editing)
    return (
      <li className="py-4">
        <StudentForm
          student={student}
          submit="Save"
          failure="Failed to update student"
          onCancel={() => setEditing(false)}
          onSave={async ({ name, grade }) => {
            await saving.mutateAsync({ id: student.id, name, grade })
            setEditing(false)
          }}
        />
      </li>
    )
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-semibold break-words">{student.name}</p>
        <p className="text-sm text-muted">{gradeLabel(student.grade)}</p>
      </div>
      {student.grade === 'teacher' ? (
        <Badge tone="brand">Staff</Badge>
      ) : (
        <>
          <IconButton
            ref={edit}
            icon="edit"
            label={`Edit ${student.name}`}
            onClick={() => setEditing(true)}
          />
          <IconButton icon="trash" look="danger" label={`Delete ${student.name}`} onClick={onDelete} />
        </>
      )}
    </li>
  )
}

/** Gives the focus to the button that began the editing once it has ended. */
const useFocusWhenDone = (editing: boolean) => {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => (editing ? () => button.current?.focus() : undefined), [editing])
  return button
}
