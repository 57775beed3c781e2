import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { childGrade, gradeNames } from '#contracts/identity'
import type { Parent } from '#contracts/parents'
import { showFieldErrors } from '../../lib/field-errors'
import { gradeLabel } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { notifyFailure } from '../../lib/notify-outcome'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Select } from '../../ui/select'
import { TextField } from '../../ui/text-field'
import { addChild } from './api'

/** What an administrator types (administrator.md section 5); parents may use a shorter name. */
const studentForm = z.object({
  name: z.string().check(z.trim(), z.minLength(2, 'Name must be at least 2 characters'), z.maxLength(120)),
  grade: z.string().check(z.refine((text) => z.safeParse(childGrade, text).success, 'Grade is required')),
})

/** Another child of this family. */
export const StudentDialog = ({ parent, onClose }: { parent: Parent; onClose: () => void }) => {
  const id = useId()
  const adding = useMutation(addChild)
  const form = useForm({ resolver: zodResolver(studentForm), defaultValues: { name: '', grade: '' } })
  const save = form.handleSubmit(async ({ name, grade }) => {
    try {
      await adding.mutateAsync({ name, grade: z.parse(childGrade, grade), parentId: parent.id })
      adminToast({ title: 'Student created successfully' })
      onClose()
    } catch (error) {
      if (!showFieldErrors(form, error)) notifyFailure(error, 'Failed to create student')
    }
  })
  const { errors, isSubmitting } = form.formState
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add Student"
      description={`A child of ${parent.name} (${parent.username})`}
      actions={
        <>
          <Button variant="secondary" disabled={isSubmitting} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} busy={isSubmitting} busyLabel="Saving...">
            Add Student
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={save} className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.register('name')}
          label="Name"
          autoComplete="off"
          maxLength={120}
          error={errors.name?.message}
        />
        <Select
          {...form.register('grade')}
          label="Grade"
          placeholder="Choose"
          options={gradeNames.map((value) => ({ value, label: gradeLabel(value) }))}
          error={errors.grade?.message}
        />
      </form>
    </Dialog>
  )
}
