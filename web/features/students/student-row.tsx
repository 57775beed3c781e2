import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Student } from '#contracts/identity'
import { CallError } from '../../lib/call'
import { changedIn, changedLines, whoChanged } from '../../lib/changed-meanwhile'
import { gradeLabel } from '../../lib/format'
import { toast } from '../../lib/toast'
import { useCancelTexts } from '../../queries/ordering'
import { Badge } from '../../ui/badge'
import { IconButton } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Notice } from '../../ui/notice'
import { changeChild, removeChild, notifyFailure } from './api'
import { type StudentFields, StudentForm, type StudentValues } from './student-form'

/** Inline editing, optimistic. Staff entries and other accounts' children (second guardian) are read-only. */
export const StudentRow = ({
  student,
  isOwn,
  about,
}: {
  student: Student
  isOwn: boolean
  about: ReactNode
}) => {
  const { draft, setDraft, saving, save } = useEditing(student)
  const { asked, setAsked, removing, remove, trash } = useDeleting(student)
  const edit = useFocusWhenDone(draft !== null)
  const cancelTexts = useCancelTexts()
  if (removing.isPending) return null
  if (draft)
    return (
      <li className="py-4">
        <StudentForm
          student={draft}
          submit="Save"
          failure="Failed to update student"
          onCancel={() => setDraft(null)}
          onSave={save}
        />
      </li>
    )
  const shown = saving.isPending ? { ...student, ...saving.variables } : student
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center gap-2">
        <StudentText student={shown} saving={saving.isPending ? 'Saving…' : undefined} />
        {student.grade === 'teacher' ? (
          <Badge tone="brand">Staff</Badge>
        ) : !isOwn ? (
          <Badge>Second guardian</Badge>
        ) : (
          <>
            <IconButton ref={edit} icon="edit" label={`Edit ${shown.name}`} onClick={() => setDraft(shown)} />
            <IconButton
              ref={trash}
              icon="trash"
              variant="danger"
              label={`Delete ${shown.name}`}
              onClick={() => setAsked(true)}
            />
          </>
        )}
      </div>
      <div className="mt-2 flex flex-col gap-2 empty:hidden">{about}</div>
      {isHeldByOrders(removing.error) ? (
        <div className="py-2">
          <Notice tone="warning" title={`${student.name} stays, because there are orders.`}>
            <p>
              {cancelTexts ? `${cancelTexts.inHistory} ` : ''}To remove a student with older orders, contact
              the tuckshop.
            </p>
          </Notice>
        </div>
      ) : null}
      <DeleteQuestion open={asked} name={student.name} onDelete={remove} onKeep={() => setAsked(false)} />
    </li>
  )
}

const useEditing = (student: Student) => {
  const [draft, setDraft] = useState<(StudentValues & { version: string }) | null>(null)
  const saving = useMutation({
    ...changeChild,
    onError: (error, { name, grade, version = '' }) => {
      const changed = changedIn(error)
      setDraft({ name, grade, version: changed?.version ?? version })
      if (changed)
        toast({ title: whoChanged(changed), text: changedLines(changed).join('; '), kind: 'error' })
      else notifyFailure(error, 'Failed to update student')
    },
  })
  const save = async (values: StudentFields) => {
    setDraft(null)
    saving.mutate({ id: student.id, ...values, version: draft?.version })
  }
  return { draft, setDraft, saving, save }
}

const useDeleting = (student: Student) => {
  const [asked, setAsked] = useState(false)
  const removing = useMutation({
    ...removeChild,
    onSuccess: (...outcome) => {
      toast({ title: `${student.name} is removed` })
      return removeChild.onSuccess?.(...outcome)
    },
    onError: (error) => notifyFailure(error, 'Failed to delete student'),
  })
  const trash = useFocusAround(removing)
  const remove = () => {
    setAsked(false)
    removing.mutate(student.id)
  }
  return { asked, setAsked, removing, remove, trash }
}

/** Focuses the list while the row is gone, then its button, without scrolling. */
const useFocusAround = ({ isPending, isError }: { isPending: boolean; isError: boolean }) => {
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLElement | null>(null)
  useEffect(() => {
    // After the dialog has restored the focus.
    if (isPending) queueMicrotask(() => list.current?.focus({ preventScroll: true }))
    else list.current = button.current?.closest<HTMLElement>('[data-students]') ?? null
  }, [isPending])
  useEffect(() => {
    if (isError && document.activeElement === list.current) button.current?.focus({ preventScroll: true })
  }, [isError])
  return button
}

const isHeldByOrders = (error: Error | null) =>
  error instanceof CallError && error.code === 'student_has_orders'

/** Returns the focus to the Edit button. */
const useFocusWhenDone = (editing: boolean) => {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => (editing ? () => button.current?.focus() : undefined), [editing])
  return button
}

type DeleteQuestionProps = { open: boolean; name: string; onDelete: () => void; onKeep: () => void }

/** Says what deleting means. */
const DeleteQuestion = ({ open, name, onDelete, onKeep }: DeleteQuestionProps) => (
  <ConfirmDialog
    open={open}
    title={`Delete ${name}?`}
    confirm="Delete"
    danger
    onConfirm={onDelete}
    onClose={onKeep}
  >
    {name} leaves your account, and you can no longer order for them. This cannot be undone. A student who has
    orders cannot be deleted.
  </ConfirmDialog>
)

/** With progress such as "Saving…". */
export const StudentText = ({ student, saving }: { student: StudentValues; saving?: string }) => (
  <div className="min-w-0 flex-1 basis-[8rem]">
    <p className="font-semibold wrap-anywhere">{student.name}</p>
    <p className="text-sm text-muted">
      {gradeLabel(student.grade)}
      {saving ? <span> · {saving}</span> : null}
    </p>
  </div>
)
