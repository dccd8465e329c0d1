"""The public names, one line each: also read at run time (`seqform.base.lazy`)."""

from seqform.report.unchanged import PageFound as PageFound
from seqform.report.unchanged import verify_report as verify_report
from seqform.report.write import check_report as check_report
from seqform.report.write import report_page as report_page
from seqform.report.write import write_report as write_report
