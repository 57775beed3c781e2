import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { childGrade, gradeNames } from '#contracts/identity'
import type { Parent } from '#contracts/parents'
import { gradeLabel } from '../../lib/format'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { addChild } from './api'

/** What an administrator types (administrator.md section 5); parents may use a shorter name. */
const studentForm = z.object({
  name: z.string().check(z.trim(), z.minLength(2, 'Name must be at least 2 characters'), z.maxLength(120)),
  grade: z.string().check(z.refine((text) => z.safeParse(childGrade, text).success, 'Grade is required')),
})

/** Another child of this family. */
export const StudentDialog = ({ parent, onClose }: { parent: Parent; onClose: () => void }) => {
  const adding = useMutation(addChild)
  return (
    <FormDialog
      title="Add Student"
      description={`A child of ${parent.name} (${parent.username})`}
      submit="Add Student"
      busyLabel="Saving..."
      schema={studentForm}
      defaultValues={{ name: '', grade: '' }}
      onSave={({ name, grade }) =>
        adding.mutateAsync({ body: { name, grade: z.parse(childGrade, grade), parentId: parent.id } })
      }
      done="Student created successfully"
      failed="Failed to create student"
      onClose={onClose}
      className="grid gap-4 sm:grid-cols-2"
    >
      <FormField name="name" label="Name" autoComplete="off" maxLength={120} />
      <FormField
        name="grade"
        label="Grade"
        placeholder="Choose"
        options={gradeNames.map((value) => ({ value, label: gradeLabel(value) }))}
      />
    </FormDialog>
  )
}
