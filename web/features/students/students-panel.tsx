import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Student } from '#contracts/identity'
import { messageOf } from '../../lib/call'
import { toast } from '../../lib/toast'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { EmptyState } from '../../ui/empty-state'
import { QueryFaces } from '../../ui/query-faces'
import { createChild, removeChild, studentsQuery } from './api'
import { StudentForm } from './student-form'
import { StudentRow } from './student-row'

/** The children of this account: add, rename, move up a grade, remove. */
export const StudentsPanel = () => {
  const students = useQuery(studentsQuery)
  const [leaving, setLeaving] = useState<Student | null>(null)
  const creating = useMutation(createChild)
  const removing = useMutation({
    ...removeChild,
    onError: (error) =>
      toast({ title: 'Error', text: messageOf(error, 'Failed to delete student'), kind: 'error' }),
    onSettled: () => setLeaving(null),
  })
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Card>
        <CardHeading title="Add New Student" />
        <CardBody>
          <StudentForm
            submit="Add Student"
            failure="Failed to create student"
            onSave={(values) => creating.mutateAsync(values)}
          />
        </CardBody>
      </Card>
      <Card>
        <CardHeading title="Registered Students" />
        <CardBody>
          <QueryFaces
            query={students}
            failure="Failed to load students. Please try again."
            isEmpty={(list) => list.length === 0}
            empty={
              <EmptyState icon="people" title="No students yet">
                Add your first child to start ordering.
              </EmptyState>
            }
          >
            {(list) => (
              <ul className="divide-y divide-line">
                {list.map((student) => (
                  <StudentRow key={student.id} student={student} onDelete={() => setLeaving(student)} />
                ))}
              </ul>
            )}
          </QueryFaces>
        </CardBody>
      </Card>
      <ConfirmDialog
        open={leaving !== null}
        title={`Delete ${leaving?.name ?? 'student'}?`}
        confirm="Delete"
        danger
        busy={removing.isPending}
        onConfirm={() => leaving && removing.mutate(leaving.id)}
        onClose={() => setLeaving(null)}
      >
        You can no longer order for this student. A student with orders cannot be deleted.
      </ConfirmDialog>
    </div>
  )
}
