import { useMutation } from '@tanstack/react-query'
import { gradeNames, updateStudent } from '#contracts/identity'
import type { RollEntry } from '#contracts/roll'
import { gradeLabel } from '../../lib/format'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import type { Affected } from './affected-lunches'
import { edit } from './api'

type EditDialogProps = {
  child: RollEntry
  /** Told of the lunches that the new grade's menu does not have. */
  onAffected: (affected: Affected) => void
  onClose: () => void
}

/** What the school knows of a child. */
export const EditDialog = ({ child, onAffected, onClose }: EditDialogProps) => {
  const editing = useMutation(edit)
  const { name, grade } = child
  return (
    <FormDialog
      title={`Edit ${name}`}
      submit="Save"
      busyLabel="Saving..."
      schema={updateStudent.body}
      defaultValues={{ name, grade, class: child.class ?? '', admissionNumber: child.admissionNumber ?? '' }}
      onSave={async (body) => {
        const saved = await editing.mutateAsync({ params: { id: child.id }, body })
        if (saved.affectedOrders.length > 0) onAffected(saved)
      }}
      done="Child saved"
      failed="Failed to save the child"
      onClose={onClose}
      className="grid items-start gap-4 sm:grid-cols-2"
    >
      <FormField name="name" label="Name" className="sm:col-span-2" autoComplete="off" maxLength={120} />
      <FormField
        name="grade"
        label="Grade"
        options={gradeNames.map((value) => ({ value, label: gradeLabel(value) }))}
      />
      <FormField name="class" label="Class (optional)" hint="Such as 3B" autoComplete="off" maxLength={20} />
      <FormField
        name="admissionNumber"
        label="Admission number (optional)"
        className="sm:col-span-2"
        autoComplete="off"
        maxLength={40}
      />
    </FormDialog>
  )
}
