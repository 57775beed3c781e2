import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useController, useFormContext, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { type ReplyOf, givenVersion } from '#contracts/endpoint'
import { diets, maxMedicalNoteLength, saveHealth, getHealth } from '#contracts/health'
import { endpointMutation, endpointQuery, useFresh } from '../../lib/endpoint-query'
import { dietText } from '../../lib/format'
import { notifyFailure, toast } from '../../lib/toast'
import { allergensQuery } from '../../queries/identity'
import { Checkbox } from '../../ui/checkbox'
import { ChipGroup } from '../../ui/chip-group'
import { Dialog, DialogFoot } from '../../ui/dialog'
import { CancelButton, Form, FormField, SubmitButton } from '../../ui/form'
import { combinedQuery, QueryResult } from '../../ui/query-result'

type HealthDialogProps = { student: { id: number; name: string }; onClose: () => void }

export const HealthDialog = ({ student, onClose }: HealthDialogProps) => {
  const query = combinedQuery(useFresh(healthQuery(student.id)), useQuery(allergensQuery))
  return (
    <Dialog open onClose={onClose} title={`Allergies and diet of ${student.name}`}>
      <QueryResult query={query} failure="Failed to load allergies and diet. Please try again.">
        {([health, { allergens }]) => (
          <HealthForm id={student.id} health={health} allergens={allergens} onClose={onClose} />
        )}
      </QueryResult>
    </Dialog>
  )
}

const { diet, medicalNote, noteConsent } = saveHealth.body.shape
const healthForm = z
  .object({
    said: z.enum(['unknown', 'none', 'some']),
    chosen: z.array(z.string()),
    diet,
    medicalNote,
    noteConsent,
    ...givenVersion,
  })
  .check(
    z.refine(({ said, chosen }) => said !== 'some' || chosen.length > 0, {
      message: 'Tick at least one',
      path: ['chosen'],
    }),
  )
type Values = z.input<typeof healthForm>

const allergiesOf = ({ said, chosen }: Pick<Values, 'said' | 'chosen'>) =>
  said === 'unknown' ? null : said === 'none' ? [] : chosen

type HealthFormProps = {
  id: number
  health: ReplyOf<typeof getHealth>
  allergens: readonly string[]
  onClose: () => void
}

const HealthForm = ({ id, health, allergens, onClose }: HealthFormProps) => {
  const formId = useId()
  const saving = useMutation(saveHealthOf)
  const { allergies, updatedAt: _, ...rest } = health
  const said = allergies === null ? 'unknown' : allergies.length === 0 ? 'none' : 'some'
  return (
    <Form
      id={formId}
      schema={healthForm}
      defaultValues={{ ...rest, said, chosen: allergies ?? [] }}
      onSave={async ({ said: answer, chosen, ...form }) => {
        const body = { ...form, allergies: allergiesOf({ said: answer, chosen }) }
        await saving.mutateAsync({ params: { id }, body })
        toast({ title: 'Allergies and diet are saved' })
        onClose()
      }}
      failed={(error) => notifyFailure(error, 'Failed to save allergies and diet')}
      className="flex flex-col gap-4"
    >
      <FormField
        name="said"
        label="Allergies"
        options={[
          { value: 'unknown', label: 'Not told yet' },
          { value: 'none', label: 'No allergies' },
          { value: 'some', label: 'Has allergies' },
        ]}
      />
      <AllergyChips allergens={allergens} />
      <FormField
        name="diet"
        label="Diet"
        options={diets.map((value) => ({ value, label: dietText[value] }))}
      />
      <FormField
        name="medicalNote"
        label="Medical note (optional)"
        rows={3}
        maxLength={maxMedicalNoteLength}
        hint="For example where the inhaler is (up to 200 characters)"
      />
      <Consent />
      <DialogFoot>
        <CancelButton onCancel={onClose} />
        <SubmitButton form={formId} busyLabel="Saving…">
          Save
        </SubmitButton>
      </DialogFoot>
    </Form>
  )
}

const AllergyChips = ({ allergens }: { allergens: readonly string[] }) => {
  const said = useWatch<Values, 'said'>({ name: 'said' })
  const {
    field: { ref, value: chosen, onChange },
    fieldState,
  } = useController<Values, 'chosen'>({ name: 'chosen' })
  if (said !== 'some') return null
  const toggled = (name: string) =>
    chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]
  return (
    <ChipGroup
      ref={ref}
      label="Allergic to"
      options={[...new Set([...allergens, ...chosen])].map((name) => ({ value: name, label: name }))}
      chosen={chosen}
      onToggle={(name) => onChange(toggled(name))}
      hint="Something else? Write it in the note and ask the school office to add it to the list."
      error={fieldState.error?.message}
    />
  )
}

const Consent = () => (
  <Checkbox
    {...useFormContext<Values>().register('noteConsent')}
    label="The kitchen may read the note"
    hint="Without it only the school office reads the note. Allergies and diet always reach the kitchen."
  />
)

/** Refetched when opened; dropped when closed. */
export const healthQuery = (id: number) => ({
  ...endpointQuery('identity', getHealth, { params: { id } }),
  staleTime: 0,
  gcTime: 0,
})

export const saveHealthOf = endpointMutation(saveHealth, 'identity', 'ordering')
