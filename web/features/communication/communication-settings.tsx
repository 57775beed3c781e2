import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { ReplyOf } from '#contracts/endpoint'
import { communicationSettings, type getCommunication } from '#contracts/identity'
import { showFieldErrors } from '../../lib/field-errors'
import { adminToast } from '../../lib/toast'
import { notifyFailure } from '../../lib/notify-outcome'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { QueryFaces } from '../../ui/query-faces'
import { SkeletonLines } from '../../ui/skeleton'
import { TextField } from '../../ui/text-field'
import { communicationQuery, saveContacts } from './api'

/** Settings, Communication: how families reach the school. */
export const CommunicationSettings = () => {
  const contacts = useQuery(communicationQuery)
  return (
    <Card>
      <CardHeading title="Communication" hint="How families reach you from the Contact dialog" />
      <CardBody>
        <QueryFaces
          query={contacts}
          failure="Failed to fetch communication settings"
          waiting={<SkeletonLines lines={3} />}
        >
          {(saved) => <ContactsForm saved={saved} />}
        </QueryFaces>
      </CardBody>
    </Card>
  )
}

const ContactsForm = ({ saved }: { saved: ReplyOf<typeof getCommunication> }) => {
  const saving = useMutation(saveContacts)
  const form = useForm({ resolver: zodResolver(communicationSettings), defaultValues: saved })
  const save = form.handleSubmit(async (typed) => {
    try {
      form.reset(await saving.mutateAsync(typed))
      adminToast({ title: 'Communication settings saved successfully' })
    } catch (error) {
      if (!showFieldErrors(form, error)) notifyFailure(error, 'Failed to save communication settings')
    }
  })
  const { errors, isSubmitting } = form.formState
  return (
    <form noValidate onSubmit={save} className="flex max-w-form flex-col gap-4">
      <TextField
        {...form.register('supportEmail')}
        label="Support email"
        type="email"
        autoComplete="off"
        maxLength={254}
        hint="Messages of the contact form arrive here; without it the form cannot be sent"
        error={errors.supportEmail?.message}
      />
      <TextField
        {...form.register('whatsappNumber')}
        label="WhatsApp number"
        type="tel"
        autoComplete="off"
        maxLength={40}
        hint="With the country code, for example +260 97 1234567"
        error={errors.whatsappNumber?.message}
      />
      <Button type="submit" busy={isSubmitting} busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Communication Settings
      </Button>
    </form>
  )
}
