import { useMutation, useQuery } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import type { Student } from '#contracts/identity'
import { toast } from '../../lib/toast'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { QueryResult } from '../../ui/query-result'
import { Skeleton } from '../../ui/skeleton'
import { studentsQuery, createChild } from './api'
import { ClaimChildren } from './claim-children'
import { StaffEntry } from './staff-entry'
import { type StudentFields, StudentForm } from './student-form'
import { StudentRow } from './student-row'
import { StudentWords } from './student-words'

/** What is drawn of a child beside its name: health, and its other guardians. */
type AboutOf = (student: Student) => ReactNode

type StudentsPanelProps = {
  parentId: number
  about: AboutOf
  claim: ComponentProps<typeof ClaimChildren>
}

/** The children of this account: add, by a code of the school's or by hand, rename, move up a grade, remove. */
export const StudentsPanel = ({ parentId, about, claim }: StudentsPanelProps) => {
  const creating = useMutation(createChild)
  const add = async (values: StudentFields) => {
    const { name } = await creating.mutateAsync({ ...values, parent_id: parentId })
    toast({ title: `${name} is added`, text: 'Meals can now be chosen in the Menu Calendar.' })
  }
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Card>
        <CardHeading title="Add New Student" />
        <CardBody>
          <div className="mb-4 border-b border-line pb-4">
            <ClaimChildren key={claim.code} {...claim} />
          </div>
          <StudentForm
            submit="Add Student"
            busyLabel="Adding…"
            failure="Failed to create student"
            onSave={add}
          />
        </CardBody>
      </Card>
      <Card>
        <CardHeading title="Registered Students" />
        <CardBody>
          <section aria-label="Registered Students" tabIndex={-1} data-students>
            <Registered
              parentId={parentId}
              coming={creating.isPending ? creating.variables : undefined}
              about={about}
            />
          </section>
          <div className="mt-4 border-t border-line pt-3">
            <StaffEntry />
          </div>
        </CardBody>
      </Card>
    </div>
  )
}

/** Who is there, and who is being added; that one leaves again when the server refuses. */
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
        {list.map((student) => (
          <StudentRow
            key={student.id}
            student={student}
            isOwn={student.parentId === parentId}
            about={about(student)}
          />
        ))}
        {coming ? (
          <li className="py-2">
            <StudentWords student={coming} saving="Adding…" />
          </li>
        ) : null}
      </ul>
    )}
  </QueryResult>
)

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
