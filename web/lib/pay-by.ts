const labels: Record<string, string> = {
  card: 'Card',
  airtel: 'Airtel Money',
  mtn: 'MTN Money',
  bank: 'Bank transfer',
  other: 'Mobile money or bank',
}

/** How something is paid for, in words: "airtel" → "Airtel Money". */
export const payByLabel = (payBy: string): string => labels[payBy] ?? payBy
