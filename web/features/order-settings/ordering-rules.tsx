import { useMutation, useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { type OrderingRules as Rules, saveOrderingRules } from '#contracts/ordering-rules'
import { adminToast } from '../../lib/toast'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { QueryResult } from '../../ui/query-result'
import { rulesQuery, saveRules } from './api'

/** Settings, Order Settings: until when families cancel and change, and what they get back. */
export const OrderingRules = () => {
  const rules = useQuery(rulesQuery)
  return (
    <Card>
      <CardHeading title="Ordering Rules" hint="What families may do with their orders" />
      <CardBody>
        <QueryResult query={rules} failure="Failed to fetch ordering rules">
          {(saved) => <RulesForm saved={saved} />}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const number = { type: 'number', inputMode: 'numeric', min: 0 } as const

const RulesForm = ({ saved }: { saved: Rules }) => {
  const saving = useMutation(saveRules)
  return (
    <Form
      schema={saveOrderingRules.body}
      defaultValues={saved}
      onSave={async (body) => {
        await saving.mutateAsync({ body })
        adminToast({ title: 'Ordering rules saved successfully' })
      }}
      failed="Failed to save ordering rules"
      className="flex max-w-form flex-col gap-4"
    >
      <FormField
        name="cancelUntil"
        label="Orders can be cancelled and changed"
        options={[
          { value: 'hour', label: 'Within an hour of ordering' },
          { value: 'cutoff', label: 'Until the cutoff of their day' },
        ]}
      />
      <LateRemedyField />
      <FormField
        name="absence"
        label="A paid meal of a child who is ill today"
        options={[
          { value: 'none', label: 'Gives nothing back' },
          { value: 'credit', label: 'Gives family credit' },
        ]}
      />
      <AbsencePercentField />
      <FormField
        name="lowPortions"
        {...number}
        max={1000}
        label="Tell how many portions are left below"
        hint="Of meals with a limit of portions a day"
      />
      <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Ordering Rules
      </SubmitButton>
    </Form>
  )
}

const LateRemedyField = () => {
  const until = useWatch<Rules, 'cancelUntil'>({ name: 'cancelUntil' })
  return (
    <FormField
      name="lateRemedy"
      label="What is cancelled after the first hour goes back as"
      hint={until === 'hour' ? 'Counts once orders can be cancelled until the cutoff.' : undefined}
      options={[
        { value: 'credit', label: 'Family credit' },
        { value: 'refund', label: 'Refund' },
      ]}
    />
  )
}

const AbsencePercentField = () => {
  const absence = useWatch<Rules, 'absence'>({ name: 'absence' })
  return (
    <FormField
      name="absencePercent"
      {...number}
      max={100}
      label="Percent of its price"
      hint={absence === 'none' ? 'Counts once such a meal gives credit.' : undefined}
    />
  )
}
