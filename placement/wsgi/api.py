"""What a WSGI server loads: `placement.wsgi.api:application`, or a copy of this file."""

from placement import deploy

application = deploy.service()
