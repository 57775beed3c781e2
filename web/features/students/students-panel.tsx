import { useMutation, useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState, useEffect } from 'react'
import { useFormContext } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import { addStaffEntry } from '#contracts/accounts'
import type { Student } from '#contracts/identity'
import { claimStudents } from '#contracts/roll-import'
import { CallError } from '../../lib/call'
import { endpointMutation } from '../../lib/endpoint-query'
import { counted } from '../../lib/format'
import { paths } from '../../lib/paths'
import { toast } from '../../lib/toast'
import { studentsQuery } from '../../queries/identity'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { CancelButton, Form, FormField, SubmitButton } from '../../ui/form'
import { EmptyState, QueryResult, Skeleton } from '../../ui/query-result'
import { createChild, notifyFailure, claimChildren } from './api'
import { AddedChildren, addedText, type StudentFields, StudentForm } from './student-form'
import { StudentRow, StudentText } from './student-row'

/** Health and other guardians of a child. */
type AboutOf = (student: Student) => ReactNode

type StudentsPanelProps = {
  parentId: number
  about: AboutOf
  /** What to ask of a new child. */
  question: AboutOf
  claim: Omit<ComponentProps<typeof ClaimChildren>, 'onAdded'>
  onChooseMeals: (studentId: number) => void
}

/** The first child's form, then the list. Later children come first, their form behind a press. */
export const StudentsPanel = ({ parentId, about, question, claim, onChooseMeals }: StudentsPanelProps) => {
  const { data } = useQuery(studentsQuery)
  const hasNone = data?.length === 0
  const [beganEmpty, setBeganEmpty] = useState<boolean>()
  if (data && beganEmpty === undefined) setBeganEmpty(hasNone)
  const [asked, setAsked] = useState<'press' | 'kept' | null>(claim.code === null ? null : 'kept')
  const [saved, setAdded] = useState<readonly Student[]>([])
  const added = saved.filter(({ id }) => data?.some((student) => student.id === id))
  const creating = useMutation(createChild)
  const open = asked !== null || hasNone
  const add = async (values: StudentFields) => {
    // Stays open for the next child.
    setAsked((now) => now ?? 'kept')
    return creating.mutateAsync({ ...values, parent_id: parentId })
  }
  const form = open ? (
    <Card key="form">
      {added.length > 0 ? null : <CardHeading title="Add New Student" />}
      <CardBody>
        {added.length > 0 ? (
          <AddedChildren
            added={added}
            question={question}
            onAnother={() => {
              setAsked('press')
              setAdded([])
            }}
            onChooseMeals={() => onChooseMeals(added[0]!.id)}
          />
        ) : (
          <>
            <StudentForm
              submit="Add Student"
              busyLabel="Adding…"
              failure="Failed to create student"
              takesFocus={asked === 'press' || (hasNone && claim.code === null)}
              onSave={add}
              onSaved={(child, isNextTyped) =>
                isNextTyped ? toast({ title: addedText([child]) }) : setAdded([child])
              }
            />
            {claim.code === null ? (
              <div className="mt-4 border-t border-line pt-4">
                <ClaimChildren {...claim} onAdded={setAdded} />
              </div>
            ) : null}
          </>
        )}
      </CardBody>
    </Card>
  ) : null
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      {claim.code === null ? null : (
        <Card className="lg:col-span-2">
          <CardHeading title="Add the children of your letter" />
          <CardBody>
            <ClaimChildren {...claim} onAdded={setAdded} />
          </CardBody>
        </Card>
      )}
      {beganEmpty ? form : null}
      <Card key="list">
        <CardHeading title="Registered Students" />
        <CardBody>
          <section aria-label="Registered Students" tabIndex={-1} data-students>
            <Registered
              parentId={parentId}
              coming={creating.isPending ? creating.variables : undefined}
              about={about}
            />
          </section>
          <div className="mt-4 flex flex-col items-start gap-2 border-t border-line pt-3">
            {open ? null : (
              <Button icon="plus" onClick={() => setAsked('press')}>
                Add a child
              </Button>
            )}
            <StaffEntry />
          </div>
        </CardBody>
      </Card>
      {beganEmpty ? null : form}
    </div>
  )
}

/** Optimistic list. */
const Registered = ({
  parentId,
  coming,
  about,
}: {
  parentId: number
  coming?: StudentFields
  about: AboutOf
}) => (
  <QueryResult
    query={useQuery(studentsQuery)}
    failure="Failed to load students. Please try again."
    waiting={<StudentsSkeleton />}
    isEmpty={(list) => list.length === 0 && !coming}
    empty={
      <EmptyState icon="people" title="No students yet">
        Add your first child to start ordering.
      </EmptyState>
    }
  >
    {(list) => (
      <ul className="divide-y divide-line">
        {list.toSorted(ownFirst(parentId)).map((student) => (
          <StudentRow
            key={student.id}
            student={student}
            isOwn={student.parentId === parentId}
            about={about(student)}
          />
        ))}
        {coming ? (
          <li className="py-2">
            <StudentText student={coming} saving="Adding…" />
          </li>
        ) : null}
      </ul>
    )}
  </QueryResult>
)

const ownFirst = (parentId: number) => (one: Student, other: Student) =>
  Number(other.parentId === parentId) - Number(one.parentId === parentId)

const StudentsSkeleton = () => (
  <output className="flex flex-col divide-y divide-line">
    <span className="sr-only">Loading</span>
    {[1, 2].map((row) => (
      <div key={row} className="flex items-center justify-between py-2">
        <div className="flex flex-col gap-2">
          <Skeleton className="h-5 w-36" />
          <Skeleton className="h-4 w-20" />
        </div>
        <Skeleton className="h-8 w-20" />
      </div>
    ))}
  </output>
)

const createStaffEntry = endpointMutation(addStaffEntry, 'identity')

/** Hidden where one exists or while unknown. */
export const StaffEntry = () => {
  const students = useQuery(studentsQuery).data
  const [open, setOpen] = useState(false)
  const adding = useMutation(createStaffEntry)
  if (!students || students.some(({ grade }) => grade === 'teacher')) return null
  if (!open)
    return (
      <Button variant="ghost" className="-ml-4" onClick={() => setOpen(true)}>
        I work at this school
      </Button>
    )
  return (
    <Form
      schema={addStaffEntry.body}
      defaultValues={{ code: '' }}
      onSave={async ({ code }) => {
        const { name } = await adding.mutateAsync({ body: { code } })
        toast({ title: `${name} is added`, text: 'You can now order for yourself too.' })
      }}
      failed={(error) => notifyFailure(error, 'Failed to add your staff account')}
      className="flex flex-col gap-4"
    >
      <FormField
        name="code"
        label="Staff code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={60}
        hint="The school tells it to its staff. You then order for yourself beside your children."
      />
      <div className="flex justify-end gap-2">
        <CancelButton onCancel={() => setOpen(false)} />
        <SubmitButton busyLabel="Adding…">Add my staff account</SubmitButton>
      </div>
    </Form>
  )
}

type ClaimChildrenProps = {
  /** From a letter's link; null: opened by hand. */
  code: string | null
  /** Closed, or children added. */
  onDone: () => void
  onAdded: (children: readonly Student[]) => void
}

/** Adds a letter's children to this account. */
export const ClaimChildren = ({ code, onDone, onAdded }: ClaimChildrenProps) => {
  const [open, setOpen] = useState(code !== null)
  const claiming = useMutation(claimChildren)
  const navigate = useNavigate()
  const close = () => {
    setOpen(false)
    onDone()
  }
  if (!open)
    return (
      <Button variant="secondary" icon="plus" onClick={() => setOpen(true)}>
        Add children with a code
      </Button>
    )
  return (
    <Form
      schema={claimStudents.body}
      defaultValues={{ code: code ?? '' }}
      onSave={async (typed, form) => {
        if (isInvitation(typed.code)) return navigate(paths.guardianInvite(typed.code.trim()))
        try {
          const added = await claiming.mutateAsync(typed)
          onAdded(added)
          close()
        } catch (error) {
          const wait = waitOf(error)
          if (wait === null) throw error
          form.setError('code', { message: wait }, { shouldFocus: true })
        }
      }}
      failed={(error) => {
        if (!isUnderField(error)) notifyFailure(error, 'Failed to add the children')
      }}
      className="flex flex-col gap-4"
    >
      <CodeField asked={code === null} />
      <div className="flex flex-wrap justify-end gap-2">
        <CancelButton onCancel={close} />
        <SubmitButton busyLabel="Adding…">Add my children</SubmitButton>
      </div>
    </Form>
  )
}

/** The code of another guardian has twelve letters or digits, that of a letter eight. */
const isInvitation = (code: string) => code.replaceAll(/[^a-z\d]/giu, '').length === 12

/** Focused when opened by hand; a letter's reader reads the page first. */
const CodeField = ({ asked }: { asked: boolean }) => {
  const { setFocus } = useFormContext()
  useEffect(() => {
    if (asked) setFocus('code')
  }, [asked, setFocus])
  return (
    <FormField
      name="code"
      label="Code from the School's Letter"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={20}
      className="[&_input]:uppercase"
      hint="8 letters. Your children are added as the school has them. The code of another guardian works here too."
    />
  )
}

const isUnderField = (error: unknown) => error instanceof CallError && 'code' in error.fields

/** Wait before another code; null otherwise. */
const waitOf = (error: unknown): string | null => {
  if (!(error instanceof CallError) || error.status !== 429) return null
  const minutes = Math.ceil(Number(error.reply?.['retryAfter'] ?? 60) / 60)
  return `Too many tries. Wait ${counted(minutes, 'minute')}, then try again.`
}
