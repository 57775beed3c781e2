import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '#contracts/endpoint'
import { communicationSettings, type getCommunication } from '#contracts/identity'
import { adminToast } from '../../lib/toast'
import { tellFailure } from '../../lib/told'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { useSchemaForm } from '../../ui/form'
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
  const form = useSchemaForm({
    schema: communicationSettings,
    defaultValues: saved,
    onSubmit: async (typed) => {
      form.reset(await saving.mutateAsync(typed))
      adminToast({ title: 'Communication settings saved successfully' })
    },
    onFailure: (error) => tellFailure(error, 'Failed to save communication settings'),
  })
  return (
    <form noValidate onSubmit={form.submit} className="flex max-w-form flex-col gap-4">
      <TextField
        {...form.register('supportEmail')}
        label="Support email"
        type="email"
        autoComplete="off"
        maxLength={254}
        hint="Messages of the contact form arrive here; without it the form cannot be sent"
        error={form.errorOf('supportEmail')}
      />
      <TextField
        {...form.register('whatsappNumber')}
        label="WhatsApp number"
        type="tel"
        autoComplete="off"
        maxLength={40}
        hint="With the country code, for example +260 97 1234567"
        error={form.errorOf('whatsappNumber')}
      />
      <Button type="submit" busy={form.busy} busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Communication Settings
      </Button>
    </form>
  )
}
