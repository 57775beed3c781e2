import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Parent } from '#contracts/accounts'
import type { Student } from '#contracts/identity'
import { classes } from '../../lib/classes'
import { counted, gradeLabel } from '../../lib/format'
import { paths } from '../../lib/paths'
import { Badge, Breakable } from '../../ui/badge'
import { Button, IconButton } from '../../ui/button'
import { Icon } from '../../ui/icon'
import { DeleteDialog } from './delete-dialog'
import { FamilyCredit } from './family-credit'
import { ParentDialog, StudentDialog } from './parent-dialogs'

type Asked =
  | { kind: 'edit' }
  | { kind: 'add' }
  | { kind: 'delete' }
  | { kind: 'delete-student'; student: Student }

type ParentRowProps = {
  parent: Parent
  maySeeCredit: boolean
  waitingPayouts: (parentId: number) => ReactNode
  health: (student: Student) => ReactNode
}

export const ParentRow = ({ parent, maySeeCredit, waitingPayouts, health }: ParentRowProps) => {
  const [open, setOpen] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [toCredit, goToCredit] = useFocusWanted()
  const id = useId()
  return (
    <li>
      <div className="flex items-center gap-2 px-4 py-1.5 sm:px-6">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
          className="flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-md text-left hover:bg-sand-50"
        >
          <Icon name={open ? 'chevron-up' : 'chevron-down'} className="text-muted" />
          <ParentText parent={parent} />
        </button>
        <FamilyLink parent={parent} className="max-sm:hidden" />
        <IconButton
          icon="edit"
          label={`Edit ${parent.username}`}
          onClick={() => setAsked({ kind: 'edit' })}
        />
        <IconButton
          icon="trash"
          variant="danger"
          label={`Delete ${parent.username}`}
          onClick={() => setAsked({ kind: 'delete' })}
        />
      </div>
      {open ? (
        <div id={id} className="flex flex-col items-start gap-2 px-4 pt-1 pb-4 sm:pr-6 sm:pl-14">
          <p className="max-w-full text-sm break-words text-muted lg:hidden">{contactOf(parent)}</p>
          <FamilyLink parent={parent} className="sm:hidden" />
          <Students
            students={parent.students}
            health={health}
            staffRemovable={parent.role === 'parent'}
            onDelete={(student) => setAsked({ kind: 'delete-student', student })}
          />
          {parent.role === 'parent' ? (
            <Button variant="secondary" size="sm" icon="plus" onClick={() => setAsked({ kind: 'add' })}>
              Add Student
            </Button>
          ) : null}
          {maySeeCredit ? (
            <FamilyCredit ref={toCredit} parent={parent} waitingPayouts={waitingPayouts(parent.id)} />
          ) : null}
        </div>
      ) : null}
      <Dialogs
        parent={parent}
        asked={asked}
        onPayOut={
          maySeeCredit
            ? () => {
                setAsked(null)
                setOpen(true)
                goToCredit()
              }
            : null
        }
        onClose={() => setAsked(null)}
      />
    </li>
  )
}

const FamilyLink = ({ parent, className }: { parent: Parent; className: string }) => (
  <Link
    to={paths.family(parent.id)}
    aria-label={`Family page of ${parent.username}`}
    className={classes(
      'inline-flex min-h-11 items-center px-1 text-sm font-semibold whitespace-nowrap text-brand-700 underline',
      className,
    )}
  >
    Family page
  </Link>
)

/** Focus target after a dialog. */
const useFocusWanted = () => {
  const element = useRef<HTMLElement>(null)
  const [wanted, setWanted] = useState(0)
  useEffect(() => {
    // After the dialog has restored the focus.
    if (wanted > 0) queueMicrotask(() => element.current?.focus())
  }, [wanted])
  return [element, () => setWanted((times) => times + 1)] as const
}

const contactOf = ({ email, phone }: Parent) =>
  email || phone ? (
    <>
      {email}
      {email && phone ? ' · ' : null}
      <span className="whitespace-nowrap">{phone}</span>
    </>
  ) : (
    'No email, no phone'
  )

const ParentText = ({ parent }: { parent: Parent }) => (
  <span className="grid min-w-0 flex-1 items-center gap-x-4 sm:grid-cols-[minmax(0,1fr)_auto] lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_6rem]">
    <span className="min-w-0">
      <span className="flex flex-wrap items-center gap-2 font-semibold break-words">
        {parent.name}
        {parent.role === 'teacher' ? <Badge tone="info">Teacher</Badge> : null}
      </span>
      <span className="block text-sm break-words text-muted">
        <Breakable text={parent.username} />
      </span>
    </span>
    <span className="text-sm break-words text-muted max-lg:hidden">{contactOf(parent)}</span>
    <span className="text-sm whitespace-nowrap text-muted sm:text-right">
      {counted(parent.students.length, 'student')}
    </span>
  </span>
)

type StudentsProps = {
  students: readonly Student[]
  health: ParentRowProps['health']
  /** A teacher's own staff entry cannot be removed. */
  staffRemovable: boolean
  onDelete: (student: Student) => void
}

const Students = ({ students, health, staffRemovable, onDelete }: StudentsProps) =>
  students.length === 0 ? (
    <p className="text-sm text-muted">No students found</p>
  ) : (
    <ul className="w-full max-w-form divide-y divide-line rounded-md border border-line">
      {students.map((student) => (
        <li key={student.id} className="flex min-h-11 flex-wrap items-center justify-end gap-x-3 py-0.5 pl-3">
          <span className="min-w-0 flex-1 basis-40 break-words">
            {student.name} <span className="text-sm text-muted">{gradeLabel(student.grade)}</span>
          </span>
          <span className="flex shrink-0 items-center gap-2">
            {health(student)}
            {student.grade === 'teacher' && !staffRemovable ? null : (
              <IconButton
                icon="trash"
                variant="danger"
                label={`Delete ${student.name}`}
                onClick={() => onDelete(student)}
              />
            )}
          </span>
        </li>
      ))}
    </ul>
  )

type DialogsProps = {
  parent: Parent
  asked: Asked | null
  onPayOut: (() => void) | null
  onClose: () => void
}

const Dialogs = ({ parent, asked, onPayOut, onClose }: DialogsProps) => {
  if (!asked) return null
  if (asked.kind === 'edit') return <ParentDialog parent={parent} onClose={onClose} />
  if (asked.kind === 'add') return <StudentDialog parent={parent} onClose={onClose} />
  if (asked.kind === 'delete')
    return (
      <DeleteDialog
        kind="Parent"
        id={parent.id}
        name={parent.username}
        consequence={`The account and its ${counted(parent.students.length, 'student')} are removed, and it can no longer be used to log in.`}
        onPayOut={onPayOut}
        onClose={onClose}
      />
    )
  return (
    <DeleteDialog
      kind="Student"
      id={asked.student.id}
      name={asked.student.name}
      consequence="Nothing can be ordered for this student any more. Past orders stay in the books."
      onClose={onClose}
    />
  )
}
