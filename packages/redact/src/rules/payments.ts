import { COLLECTED, END, looksMixed, type Rule } from './rule.ts';

const UUID = '[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}';

export const PAYMENTS: readonly Rule[] = [
  {
    kind: 'stripe',
    page: 'https://docs.stripe.com/keys',
    prefixes: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'sk_prod_', 'rk_prod_'],
    rest: '[A-Za-z0-9]{16,255}',
  },
  { kind: 'stripe', page: 'https://docs.stripe.com/webhooks', prefixes: ['whsec_'], rest: '[A-Za-z0-9+/]{24,255}={0,2}' },
  { kind: 'square', page: COLLECTED, prefixes: ['sq0atp-', 'sq0csp-', 'sq0idp-'], rest: '[A-Za-z0-9_-]{22,60}' },
  { kind: 'square', page: COLLECTED, prefixes: ['EAAA'], rest: `[A-Za-z0-9_-]{56,64}${END}`, test: looksMixed },
  {
    kind: 'braintree',
    page: 'https://developer.paypal.com/braintree/docs/reference/general/server-sdk-deprecation-policy',
    prefixes: ['access_token$production$', 'access_token$sandbox$'],
    rest: `[a-z0-9]{16}\\$[a-f0-9]{32}${END}`,
  },
  { kind: 'shopify', page: COLLECTED, prefixes: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], rest: `[a-fA-F0-9]{32}${END}` },
  { kind: 'plaid', page: COLLECTED, prefixes: ['access-sandbox-', 'access-development-', 'access-production-'], rest: `${UUID}${END}` },
  { kind: 'flutterwave', page: COLLECTED, prefixes: ['FLWSECK_TEST-', 'FLWSECK-'], rest: '[a-hA-H0-9]{12,32}(?:-X)?' },
  { kind: 'easypost', page: COLLECTED, prefixes: ['EZAK', 'EZTK'], rest: `[A-Za-z0-9]{54}${END}` },
  { kind: 'shippo', page: COLLECTED, prefixes: ['shippo_live_', 'shippo_test_'], rest: `[a-fA-F0-9]{40}${END}` },
  { kind: 'duffel', page: COLLECTED, prefixes: ['duffel_live_', 'duffel_test_'], rest: '[A-Za-z0-9_=-]{43}' },
];
